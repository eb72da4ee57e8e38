<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

/**
 * Listening on a file, as a proxy on the same machine is served.
 */
final class UnixSocketTest extends TestCase
{
    private const TELLS = <<<'PHP'
        <?php

        return static fn (Weft\Http\Request $request): array => array_intersect_key(
            $_SERVER,
            array_flip(['SERVER_ADDR', 'SERVER_PORT', 'REMOTE_ADDR', 'HTTPS']),
        );
        PHP;

    private ?ServerProcess $server = null;
    private Releases $releases;
    private string $path;

    protected function setUp(): void
    {
        $this->releases = new Releases();
        $this->releases->add('two', self::TELLS);
        $this->releases->point('two');
        $this->path = "{$this->releases->directory}/shop.sock";
    }

    protected function tearDown(): void
    {
        $this->server?->destroy();
        @unlink($this->path);
        $this->releases->remove();
    }

    public function testItServesThereAndOnAnAddressUntilItStops(): void
    {
        $this->server = $server = $this->serve("unix:$this->path,127.0.0.1");

        self::assertStringContainsString("  unix:$this->path\n", $server->output());
        self::assertSame(0o666, fileperms($this->path) & 0o777);
        self::assertEquals(['SERVER_ADDR' => '127.0.0.1', 'SERVER_PORT' => '80', 'REMOTE_ADDR' => '127.0.0.1'], $this->ask());
        self::assertSame('127.0.0.1', Client::json($server->url('/'))['REMOTE_ADDR'] ?? null);

        $server->signal(SIGHUP);
        $server->eventually('it has reloaded', static fn (): bool => str_contains($server->errors(), 'reloaded: '));
        self::assertNotNull($this->ask());

        $server->signal(SIGTERM);
        self::assertSame(0, $server->exitCode());
        self::assertFileDoesNotExist($this->path);
    }

    public function testWhatAProxySaysThereCounts(): void
    {
        $this->server = $this->serve("unix:$this->path", ['--trusted-proxies=127.0.0.1']);

        $told = $this->ask(['X-Forwarded-For: 192.0.2.7', 'X-Forwarded-Proto: https']);

        self::assertSame(['192.0.2.7', '443', 'on'], [$told['REMOTE_ADDR'] ?? null, $told['SERVER_PORT'] ?? null, $told['HTTPS'] ?? null]);
    }

    public function testWhatAKilledServerHasLeftIsReplaced(): void
    {
        $this->server = $killed = $this->serve("unix:$this->path");
        $workers = $killed->workers();
        $killed->signal(SIGKILL);
        $killed->eventually('its workers have ended', static fn (): bool => array_filter($workers, ServerProcess::lives(...)) === []);
        // as nobody has it who was killed at once
        if (!file_exists($this->path)) {
            fclose(self::left($this->path));
        }
        self::assertFileExists($this->path);
        $killed->destroy();

        $this->server = $this->serve("unix:$this->path");

        self::assertNotNull($this->ask());
    }

    public function testAnotherServersSocketAndOtherFilesAreLeftAlone(): void
    {
        $this->server = $first = $this->serve("unix:$this->path");
        $this->assertRefused('Can\'t listen on unix:%s: Address already in use. A server listens there: stop that, or choose another path with --host.');
        self::assertNotNull($this->ask());
        $first->signal(SIGTERM);
        self::assertSame(0, $first->exitCode());

        file_put_contents($this->path, 'precious');
        $this->assertRefused('Can\'t listen on unix:%s: File exists. That file is no socket: remove it, or choose another path with --host.');
        self::assertStringEqualsFile($this->path, 'precious');
    }

    #[TestWith(['unix:'])]
    #[TestWith(['unix:/nowhere/at/all/x.sock'])]
    #[TestWith(['unix:/tmp/'])]
    public function testAPathThatCanNotBeIsRefused(string $host): void
    {
        $this->server = $server = new ServerProcess([$this->releases->app(), "--host=$host"]);

        self::assertSame(2, $server->exitCode());
        self::assertStringContainsString("--host=$host: a Unix socket is a file in a directory that exists, and its path has at most 107 bytes.", $server->errors());
    }

    private function assertRefused(string $message): void
    {
        $second = new ServerProcess([$this->releases->app(), "--host=unix:$this->path", '--control=off']);
        $status = $second->exitCode();
        $errors = $second->errors();
        $second->destroy();

        self::assertSame([1, 'weft: ' . sprintf($message, $this->path) . "\n"], [$status, $errors]);
    }

    /**
     * @param list<string> $arguments
     */
    private function serve(string $host, array $arguments = []): ServerProcess
    {
        return ServerProcess::serving($this->releases->app(), ["--host=$host", '--workers=1', ...$arguments]);
    }

    /**
     * @return resource a socket that listens
     */
    private static function left(string $path)
    {
        $socket = stream_socket_server("unix://$path");
        self::assertIsResource($socket);

        return $socket;
    }

    /**
     * @param list<string> $headers
     * @return array<array-key, mixed>|null
     */
    private function ask(array $headers = []): ?array
    {
        $handle = curl_init('http://shop.example/');
        self::assertNotFalse($handle);
        curl_setopt_array($handle, [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 20, CURLOPT_HTTPHEADER => $headers]);
        curl_setopt($handle, CURLOPT_UNIX_SOCKET_PATH, $this->path === '' ? null : $this->path);
        $told = json_decode((string) curl_exec($handle), true);

        return is_array($told) ? $told : null;
    }
}
