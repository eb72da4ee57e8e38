<?php

declare(strict_types=1);

namespace Weft\Attack;

/**
 * Requests that are bad for the server, some at once every now and then, each on a connection of its own.
 */
final class Shots
{
    /**
     * @param list<string> $requests one after the other, and again
     */
    public function __construct(
        private readonly string $address,
        private readonly array $requests,
        private readonly float $every,
        private readonly int $atOnce = 1,
    ) {
    }

    /**
     * @return array<array-key, int> how often which status came; 0: none
     */
    public function run(float $until): array
    {
        $seen = [];
        $number = 0;
        while (microtime(true) < $until) {
            $sockets = [];
            for ($i = 0; $i < $this->atOnce; $i++) {
                $socket = @stream_socket_client("tcp://$this->address", $code, $message, 10);
                if ($socket !== false) {
                    stream_set_timeout($socket, 20);
                    @fwrite($socket, $this->requests[$number++ % count($this->requests)]);
                    $sockets[] = $socket;
                }
            }
            foreach ($sockets as $socket) {
                $status = preg_match('~^HTTP/1.1 (\d+)~', (string) @fgets($socket), $match) === 1 ? (int) $match[1] : 0;
                $seen[$status] = ($seen[$status] ?? 0) + 1;
                fclose($socket);
            }
            usleep((int) ($this->every * 1e6));
        }

        return $seen;
    }
}
