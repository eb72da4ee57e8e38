<?php

declare(strict_types=1);

namespace Weft\Bench\Arms;

use Weft\Bench\Application;
use Weft\Bench\Arm;
use Weft\Bench\Missing;
use Weft\Bench\Server;
use Weft\Bench\Setup;
use Weft\Bench\Workspace;

/** Laravel Octane on Swoole or on FrankenPHP, from a checkout and programs that were installed by hand. */
final class Octane implements Arm
{
    public function __construct(private readonly string $server)
    {
    }

    public function name(): string
    {
        return "octane-$this->server";
    }

    public function title(): string
    {
        return 'Octane on ' . ($this->server === 'swoole' ? 'Swoole' : 'FrankenPHP');
    }

    public function missing(Workspace $workspace): ?string
    {
        if (Application::octane($workspace) === null) {
            return 'needs a checkout of laravel/octane in var/octane, or --octane=DIR';
        }
        try {
            $this->server === 'swoole' ? Swoole::extension($workspace) : self::frankenPhp($workspace);
        } catch (Missing $e) {
            return $e->getMessage();
        }

        return null;
    }

    public function start(Workspace $workspace, Setup $setup): Server
    {
        $port = $workspace->port();
        $command = [PHP_BINARY, 'artisan', 'octane:start', "--server=$this->server", '--host=127.0.0.1', "--port=$port",
            "--workers=$setup->workers", '--max-requests=1000000000', '--no-interaction'];
        if ($this->server === 'swoole') {
            return CommandServer::start(
                $workspace,
                $this->title(),
                // Task workers take part in nothing that is asked here, so their memory would be counted for nothing.
                [...$command, '--task-workers=0'],
                $port,
                Swoole::env($workspace, $setup->env),
                $setup->application,
            );
        }
        $env = ['PATH' => dirname(self::frankenPhp($workspace)) . ':' . getenv('PATH')] + $setup->env;

        return CommandServer::start($workspace, $this->title(), [...$command, '--admin-port=' . $workspace->port()], $port, $env, $setup->application);
    }

    private static function frankenPhp(Workspace $workspace): string
    {
        foreach ([(string) getenv('WEFT_BENCH_FRANKENPHP'), "$workspace->root/var/frankenphp"] as $file) {
            if (is_executable($file) && is_file($file)) {
                return $file;
            }
        }

        return Workspace::tool('frankenphp', 'none; --frankenphp=FILE');
    }
}
