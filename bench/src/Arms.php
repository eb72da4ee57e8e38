<?php

declare(strict_types=1);

namespace Weft\Bench;

/** The sides of the comparison by their names: what each is, what it needs, and how it is started. */
final class Arms
{
    public const SERVERS = [
        'weft' => 'Weft', 'weft-blocking' => 'Weft, one request at a time', 'weft-warm' => 'Weft, warmed', 'weft-classic' => 'Weft, --classic',
        'fpm' => 'PHP-FPM', 'fpm-no-opcache' => 'PHP-FPM without OPcache',
        'octane-swoole' => 'Octane on Swoole', 'octane-frankenphp' => 'Octane on FrankenPHP', 'swoole' => 'Swoole', 'workerman' => 'Workerman',
        'nginx' => 'nginx, a static file',
    ];

    /** What /hello of the pages without a framework says. */
    public const HELLO = "Hello, world!\n";

    /** Those that serve the Laravel application. */
    public const LARAVEL = ['weft', 'fpm', 'fpm-no-opcache', 'octane-swoole', 'octane-frankenphp'];

    /** Ways to make the calls of the fan-out suite: each is a script of bench/fanout. */
    public const FANOUT = [
        'sequential' => 'PDO and Guzzle, in a row', 'guzzle' => 'Guzzle promises, PDO in a row', 'swoole-coroutines' => 'Swoole, coroutines of its own',
    ];

    public const TITLES = self::SERVERS + self::FANOUT + ['plain' => 'what it replaces'];

    /** Null, or in one line what it needs and does not have. */
    public static function missing(string $arm, Workspace $workspace): ?string
    {
        try {
            match ($arm) {
                'weft', 'weft-blocking', 'weft-warm', 'weft-classic' => $workspace->extension(),
                'fpm', 'fpm-no-opcache' => [self::phpFpm(), Nginx::program()],
                'nginx' => Nginx::program(),
                'swoole', 'swoole-coroutines' => $workspace->swoole(),
                'workerman' => $workspace->workerman(),
                'octane-swoole' => [self::octane($workspace), $workspace->swoole()],
                'octane-frankenphp' => [self::octane($workspace), self::frankenPhp($workspace)],
                default => null,
            };
        } catch (Missing $e) {
            return $e->getMessage();
        }

        return null;
    }

    /**
     * @param Site         $site what it serves
     * @param list<string> $weft options for bin/weft serve alone
     */
    public static function start(string $arm, Workspace $workspace, Site $site, int $workers, array $weft = []): Server
    {
        $port = $workspace->port();
        $title = self::SERVERS[$arm];
        $octane = [PHP_BINARY, 'artisan', 'octane:start', '--host=127.0.0.1', "--port=$port", "--workers=$workers", '--max-requests=1000000000', '--no-interaction'];

        return match ($arm) {
            'weft' => self::weft($workspace, $site, $workers, $weft),
            'weft-blocking' => self::weft($workspace, $site, $workers, [...$weft, '--concurrency=1']),
            'weft-warm' => self::warm(self::weft($workspace, $site, $workers, [...$weft, "--warm=$site->probe"])),
            'weft-classic' => self::weft($workspace, $site, $workers, [...$weft, '--classic']),
            'fpm' => self::fpm($workspace, $site, $workers, []),
            'fpm-no-opcache' => self::fpm($workspace, $site, $workers, ['-d', 'opcache.enable=0']),
            // Task workers take part in nothing that is asked here, so their memory would be counted for nothing.
            'octane-swoole' => Server::start(
                $workspace,
                $title,
                [...$octane, '--server=swoole', '--task-workers=0'],
                $port,
                self::withSwoole($workspace, $site->env),
                $site->directory,
            ),
            'octane-frankenphp' => Server::start(
                $workspace,
                $title,
                [...$octane, '--server=frankenphp', '--admin-port=' . $workspace->port()],
                $port,
                ['PATH' => dirname(self::frankenPhp($workspace)) . ':' . getenv('PATH')] + $site->env,
                $site->directory,
            ),
            'swoole' => Server::start(
                $workspace,
                $title,
                [PHP_BINARY, "$workspace->root/bench/serve/swoole.php", (string) $port, (string) $workers],
                $port,
                self::swoole($site) + self::withSwoole($workspace, $site->env),
                listens: $site->listens,
            ),
            'workerman' => self::workerman($workspace, $site, $workers, $port),
            'nginx' => Nginx::static($workspace, 'hello', self::HELLO, $site->files, $site->listens, $site->certificate),
            default => throw new \InvalidArgumentException("\"$arm\" is no server"),
        };
    }

    /** @param list<string> $options */
    private static function weft(Workspace $workspace, Site $site, int $workers, array $options): Server
    {
        $workspace->extension();
        $port = $workspace->port();
        // what is measured must not become another one on the way
        $command = [
            PHP_BINARY, "$workspace->root/bin/weft", 'serve', $site->directory, '--log=text', '--host=127.0.0.1', "--port=$port", "--workers=$workers",
            '--learn=off', ...$options,
        ];
        if ($site->public !== null) {
            $command[] = "--public=$site->public";
        }
        if ($site->listens === Listens::Tls && $site->certificate !== null) {
            array_push($command, "--tls-cert={$site->certificate->file}", "--tls-key={$site->certificate->key}");
        }
        $server = Server::start($workspace, 'weft serve', $command, $port, $site->env, listens: $site->listens);
        try {
            // The supervisor listens before the application has booted and warmed up.
            Http::get($port, $site->probe, 60.0, listens: $site->listens);
        } catch (Failure $e) {
            $server->stop();
            throw new Failure("weft serve did not start: {$e->getMessage()}: " . Json::excerpt($server->output()));
        }

        return $server;
    }

    /** A Weft that stays cold serves all the same, but it is not this arm. */
    private static function warm(Server $server): Server
    {
        if (preg_match('/^\s*Cold: (.*)$/m', $server->output(), $match) === 1) {
            $server->stop();
            throw new Missing("stays cold: $match[1]");
        }

        return $server;
    }

    /**
     * A static pool behind nginx, both from configurations made here, never the system's services.
     *
     * @param list<string> $options
     */
    private static function fpm(Workspace $workspace, Site $site, int $children, array $options): Server
    {
        $port = $workspace->port();
        $socket = "$workspace->run/fpm-$port.sock";
        // One that was killed has left its socket, which would pass for that of this one.
        @unlink($socket);
        $user = posix_geteuid() === 0 ? "user = root\ngroup = root" : '';
        $pool = $workspace->write("fpm-$port.conf", <<<CONF
            [global]
            error_log = $workspace->run/log/fpm-error.log
            [bench]
            $user
            listen = $socket
            listen.backlog = 1024
            pm = static
            pm.max_children = $children
            clear_env = no
            catch_workers_output = yes

            CONF);
        $root = posix_geteuid() === 0 ? ['--allow-to-run-as-root'] : [];
        $fpm = Program::start('php-fpm', [self::phpFpm(), '--nodaemonize', '--fpm-config', $pool, ...$root, ...$options], $workspace->log("fpm-$port"), $site->env);
        for ($i = 0; $i < 300 && !file_exists($socket) && $fpm->isRunning(); $i++) {
            usleep(10_000);
        }
        if (!file_exists($socket)) {
            $fpm->stop();
            throw new Failure('php-fpm did not start: ' . Json::excerpt($fpm->output()));
        }

        return Nginx::before($fpm, $socket, $workspace, $port, (is_file($site->directory) ? dirname($site->directory) : $site->directory) . '/public', $site);
    }

    /** The PHP-FPM of the PHP that runs this: both arms must be the same version. */
    private static function phpFpm(): string
    {
        $version = PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION;

        return Program::find("php-fpm$version", "php$version-fpm");
    }

    private static function octane(Workspace $workspace): string
    {
        return $workspace->octane() ?? throw new Missing('needs a checkout of laravel/octane in var/octane, or WEFT_BENCH_OCTANE=DIR');
    }

    private static function frankenPhp(Workspace $workspace): string
    {
        foreach ([(string) getenv('WEFT_BENCH_FRANKENPHP'), "$workspace->root/var/frankenphp"] as $file) {
            if (is_executable($file) && is_file($file)) {
                return $file;
            }
        }

        return Program::find('frankenphp', 'none; WEFT_BENCH_FRANKENPHP=FILE');
    }

    private static function workerman(Workspace $workspace, Site $site, int $workers, int $port): Server
    {
        $directory = $workspace->workerman();
        // Without it, Workerman asks select(), which knows no more than 1,024 descriptors.
        $event = !extension_loaded('event') && is_file("$directory/event.so") ? ['-d', "extension=$directory/event.so"] : [];
        $command = [PHP_BINARY, ...$event, "$workspace->root/bench/serve/workerman.php", (string) $port, (string) $workers, $directory];

        return Server::start($workspace, self::SERVERS['workerman'], $command, $port, $site->env);
    }

    /** @return array<string, string> what bench/serve/swoole.php looks at */
    private static function swoole(Site $site): array
    {
        $certificate = $site->listens === Listens::Tls ? $site->certificate : null;

        $all = ['HTTP2' => $site->listens === Listens::Http ? '' : '1', 'TLS_CERT' => $certificate->file ?? '', 'TLS_KEY' => $certificate->key ?? ''];

        return array_filter($all, static fn (string $it): bool => $it !== '');
    }

    /**
     * An ini file of its own, so that processes which a server starts load it too.
     *
     * @param array<string, string> $env
     *
     * @return array<string, string>
     */
    private static function withSwoole(Workspace $workspace, array $env): array
    {
        $file = $workspace->swoole();
        if ($file === null) {
            return $env;
        }
        Workspace::directory("$workspace->run/ini-swoole");
        $workspace->write('ini-swoole/swoole.ini', "extension=$file\n");

        return ['PHP_INI_SCAN_DIR' => ($env['PHP_INI_SCAN_DIR'] ?? '') . ":$workspace->run/ini-swoole"] + $env;
    }
}
