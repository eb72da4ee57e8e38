<?php

declare(strict_types=1);

namespace Weft\Bench;

/**
 * What the arms have in common: the application, its database behind the delay proxy, PHP's settings, and an
 * environment that says so. The application's directory is not written to: caches and storage are redirected.
 */
final class Stage
{
    /** @var array<string, array{DelayProxy, array<string, string>}> by delay */
    private array $distances = [];

    /** @param array<string, string> $base */
    private function __construct(
        private readonly Workspace $workspace,
        private readonly bool $configCached,
        public readonly Postgres $database,
        public readonly string $application,
        private readonly array $base,
    ) {
    }

    public static function build(Bench $bench): self
    {
        $workspace = $bench->workspace;
        $application = Application::build($workspace);
        $bench->console->say('preparing PostgreSQL and the application');
        $database = Postgres::start($workspace);
        try {
            $env = self::paths($workspace) + self::settings($workspace, $bench->options->jit);
            self::artisan($application, $env + $database->environment(), 'migrate', '--seed', '--force');
        } catch (\Throwable $e) {
            $database->stop();
            throw $e;
        }

        return new self($workspace, $bench->options->configCached, $database, $application, $env);
    }

    /**
     * What an arm needs to find the database at this distance, in milliseconds each way.
     *
     * @return array<string, string>
     */
    public function env(float $delay): array
    {
        $key = "{$delay}ms";
        if (!isset($this->distances[$key])) {
            $proxy = DelayProxy::start($this->workspace, $this->database->port, $delay);
            $env = $this->database->environment($proxy->port) + $this->base;
            $env['APP_CONFIG_CACHE'] = dirname($env['APP_CONFIG_CACHE']) . "/config-$key.php";
            $this->distances[$key] = [$proxy, $env];
            if ($this->configCached) {
                // Configuration, routes, views and events, as people deploy.
                self::artisan($this->application, $env, 'optimize');
            }
        }

        return $this->distances[$key][1];
    }

    /**
     * The same with settings of its own: another database, say.
     *
     * @param array<string, string> $settings
     *
     * @return array<string, string>
     */
    public function with(string $name, array $settings): array
    {
        $env = $settings + $this->env(0.0);
        $env['APP_CONFIG_CACHE'] = dirname($env['APP_CONFIG_CACHE']) . "/config-$name.php";
        if ($this->configCached) {
            self::artisan($this->application, $env, 'optimize');
        }

        return $env;
    }

    public function stop(): void
    {
        foreach ($this->distances as [$proxy]) {
            $proxy->stop();
        }
        $this->database->stop();
    }

    /**
     * The same php.ini for whatever PHP reads this environment, command line or FPM.
     *
     * @return array<string, string>
     */
    public static function settings(Workspace $workspace, string $jit): array
    {
        $buffer = $jit === 'off' ? '0' : '64M';
        $workspace->write('ini/99-weft-bench.ini', <<<INI
            opcache.enable=1
            opcache.enable_cli=1
            opcache.validate_timestamps=0
            opcache.memory_consumption=128
            opcache.interned_strings_buffer=16
            opcache.max_accelerated_files=20000
            opcache.jit=$jit
            opcache.jit_buffer_size=$buffer
            realpath_cache_size=4M
            realpath_cache_ttl=600
            memory_limit=512M
            display_errors=0
            log_errors=1
            variables_order=GPCS
            date.timezone=UTC

            INI);

        // The leading colon keeps the directory that PHP was built with.
        return ['PHP_INI_SCAN_DIR' => ":$workspace->run/ini"];
    }

    /** @return array<string, string> */
    private static function paths(Workspace $workspace): array
    {
        $storage = "$workspace->run/storage";
        $cache = "$workspace->run/cache";
        Workspace::capture(['rm', '-rf', $storage, $cache]);
        foreach (['app', 'logs', 'framework/cache/data', 'framework/sessions', 'framework/views'] as $dir) {
            mkdir("$storage/$dir", 0o777, true);
        }
        mkdir($cache, 0o777, true);

        return [
            'APP_ENV' => 'production', 'APP_DEBUG' => 'false', 'CACHE_STORE' => 'file', 'SESSION_DRIVER' => 'file',
            'QUEUE_CONNECTION' => 'sync', 'LOG_CHANNEL' => 'single', 'LOG_LEVEL' => 'warning', 'APP_KEY' => 'base64:' . base64_encode(random_bytes(32)),
            'LARAVEL_STORAGE_PATH' => $storage,
            'APP_CONFIG_CACHE' => "$cache/config.php", 'APP_ROUTES_CACHE' => "$cache/routes.php",
            'APP_EVENTS_CACHE' => "$cache/events.php", 'APP_SERVICES_CACHE' => "$cache/services.php",
            'APP_PACKAGES_CACHE' => "$cache/packages.php",
        ];
    }

    /** @param array<string, string> $env */
    private static function artisan(string $application, array $env, string ...$arguments): void
    {
        [$status, $output] = Workspace::capture([PHP_BINARY, 'artisan', ...array_values($arguments), '--no-interaction'], $env, $application);
        if ($status !== 0) {
            throw new Failure("artisan $arguments[0]: " . Value::excerpt($output));
        }
    }
}
