<?php

declare(strict_types=1);

namespace Weft\Bench\Arms;

use Weft\Bench\Arm;
use Weft\Bench\Missing;
use Weft\Bench\Server;
use Weft\Bench\Setup;
use Weft\Bench\Workspace;

/** Swoole's own server, one coroutine a request, for plain pages: bench/serve/swoole.php. */
final class Swoole implements Arm
{
    public function name(): string
    {
        return 'swoole';
    }

    public function title(): string
    {
        return 'Swoole';
    }

    public function missing(Workspace $workspace): ?string
    {
        try {
            self::extension($workspace);
        } catch (Missing $e) {
            return $e->getMessage();
        }

        return null;
    }

    public function start(Workspace $workspace, Setup $setup): Server
    {
        $port = $workspace->port();
        $command = [PHP_BINARY, "$workspace->root/bench/serve/swoole.php", (string) $port, (string) $setup->workers];

        return CommandServer::start($workspace, $this->title(), $command, $port, self::env($workspace, $setup->env), $workspace->root);
    }

    /** swoole.so of a build; an empty string when PHP loads it by itself. */
    public static function extension(Workspace $workspace): string
    {
        if (extension_loaded('swoole')) {
            return '';
        }
        foreach ([(string) getenv('WEFT_BENCH_SWOOLE'), "$workspace->root/var/swoole/modules/swoole.so"] as $file) {
            if (is_file($file)) {
                return $file;
            }
        }
        throw new Missing('needs swoole.so in var/swoole/modules, or --swoole=FILE');
    }

    /**
     * An ini file of its own, so that processes which a server starts load it too.
     *
     * @param array<string, string> $env
     *
     * @return array<string, string>
     */
    public static function env(Workspace $workspace, array $env): array
    {
        $file = self::extension($workspace);
        if ($file === '') {
            return $env;
        }
        if (!is_dir("$workspace->run/ini-swoole")) {
            mkdir("$workspace->run/ini-swoole");
        }
        $workspace->write('ini-swoole/swoole.ini', "extension=$file\n");

        return ['PHP_INI_SCAN_DIR' => ($env['PHP_INI_SCAN_DIR'] ?? '') . ":$workspace->run/ini-swoole"] + $env;
    }
}
