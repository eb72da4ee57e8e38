<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

/**
 * The connections of PDO's pools, in metrics.
 */
final class PoolMetricsTest extends LaravelTestCase
{
    public function testWhoHoldsAConnectionAndWhoWaitsForOneIsCounted(): void
    {
        $server = $this->serve(['--workers=1', '--admin=127.0.0.1:0', '--request-timeout=0', '-d', 'weft.pdo_pool_max=1']);
        preg_match('~http://(\S+/metrics)~', $server->output(), $address);
        $metrics = $address[0] ?? self::fail('It tells no address.');
        self::assertSame(['idle' => 0, 'leased' => 0, 'waiting' => 0], self::pool($metrics));

        $go = (string) tempnam(sys_get_temp_dir(), 'weft-go-');
        unlink($go);
        $running = [$this->begin($server, $go), $this->begin($server, $go)];
        $this->eventually(static fn (): bool => self::pool($metrics) === ['idle' => 0, 'leased' => 1, 'waiting' => 1], 'One has the connection, the other waits for it');
        touch($go);
        foreach ($running as $socket) {
            self::assertStringContainsString('{"committed":true}', (string) stream_get_contents($socket));
        }
        unlink($go);
        $this->eventually(static fn (): bool => self::pool($metrics) === ['idle' => 1, 'leased' => 0, 'waiting' => 0], 'The connection is free');
    }

    /**
     * @return array<string, int>
     */
    private static function pool(string $metrics): array
    {
        preg_match_all('/^weft_pool_(?:connections\{state=")?(\w+)(?:"\})? (\d+)$/m', (string) file_get_contents($metrics), $found);

        return array_combine($found[1], array_map(intval(...), $found[2]));
    }

    /**
     * @return resource
     */
    private function begin(Server $server, string $go)
    {
        $socket = stream_socket_client(str_replace('http:', 'tcp:', $server->url));
        self::assertIsResource($socket);
        fwrite($socket, 'GET /lease/one?until=' . rawurlencode($go) . " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

        return $socket;
    }
}
