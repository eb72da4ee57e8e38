<?php

declare(strict_types=1);

namespace Weft\PackageTests;

use RuntimeException;
use Weft\TestSupport\Program;

/** The application, served by PHP alone or by Weft, on a port of its own. */
final class Server
{
    private const START_SECONDS = 90;

    private function __construct(public readonly string $address, private readonly Program $program)
    {
        $deadline = microtime(true) + self::START_SECONDS;
        while (($socket = @stream_socket_client("tcp://$address")) === false) {
            if (!$program->runs() || microtime(true) > $deadline) {
                throw new RuntimeException("The server did not come up:\n" . $program->output());
            }
            usleep(20_000);
        }
        fclose($socket);
    }

    /**
     * @param array<string, string> $environment
     */
    public static function plain(string $root, string $log, bool $opcache, array $environment): self
    {
        $address = self::freeAddress();
        $public = "$root/tests/packages/app/public";

        return new self($address, new Program([
            PHP_BINARY, '-d', 'opcache.enable=' . (int) $opcache, '-S', $address, '-t', $public, "$public/index.php",
        ], $log, environment: $environment));
    }

    /**
     * @param list<string> $options
     * @param array<string, string> $environment
     */
    public static function weft(string $root, string $log, array $options, array $environment): self
    {
        $address = self::freeAddress();

        return new self($address, new Program([
            PHP_BINARY, "$root/bin/weft", 'serve', '--log=text', "$root/tests/packages/app",
            '--port=' . explode(':', $address)[1], '--workers=1', '-d', 'weft.http_access_log=0', '-d', 'weft.http_compress=off', ...$options,
        ], $log, environment: $environment));
    }

    public function output(): string
    {
        return $this->program->output();
    }

    public function stop(): void
    {
        $this->program->stop();
    }

    private static function freeAddress(): string
    {
        $socket = stream_socket_server('tcp://127.0.0.1:0');
        $name = $socket === false ? false : stream_socket_get_name($socket, false);

        return $name === false ? throw new RuntimeException('No free port.') : $name;
    }
}
