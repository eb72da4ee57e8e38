<?php

declare(strict_types=1);

namespace Weft\Bench;

/** The example application as people deploy it, and its database behind the delay proxy: what the arms have in common. */
final class Stage
{
    /** Copied from the example; what else it has is not asked for here. */
    private const COPIED = ['app', 'config', 'database', 'public', 'resources', 'routes', 'artisan', 'composer.json'];

    private const STORAGE = ['app', 'logs', 'framework/cache/data', 'framework/sessions', 'framework/views'];

    /** Of ordinary size, for /load/classes. */
    private const CLASSES = 100;

    /** @var array<string, Site> by what they were asked for */
    private array $sites = [];

    /** @var array<array-key, DelayProxy> by milliseconds */
    private array $proxies = [];

    /** @param array<string, string> $php the environment that brings php.ini */
    private function __construct(private readonly Workspace $workspace, public readonly Postgres $database, private readonly array $php, private readonly string $key)
    {
    }

    public static function build(Workspace $workspace, Postgres $database, string $jit): self
    {
        $workspace->example();
        $self = new self($workspace, $database, Site::php($workspace, $jit), 'base64:' . base64_encode(random_bytes(32)));
        Program::run(['rm', '-rf', "$workspace->run/sites"]);
        $site = $self->site(0.0);
        $self->artisan($site, 'migrate', '--seed', '--force');

        return $self;
    }

    /**
     * A copy of the example of its own, with the database at this distance in milliseconds each way, in production, with
     * configuration, routes, views and events cached.
     *
     * @param array<string, string> $env settings of its own
     */
    public function site(float $delay, array $env = []): Site
    {
        $key = $delay . json_encode($env);
        if (!isset($this->sites[$key])) {
            $port = $delay > 0.0 ? $this->proxy($delay)->port : $this->database->port;
            $site = new Site($this->copy('site-' . count($this->sites)), $env + $this->database->environment($port) + $this->php + [
                'APP_ENV' => 'production', 'APP_DEBUG' => 'false', 'APP_KEY' => $this->key, 'CACHE_STORE' => 'file', 'SESSION_DRIVER' => 'file',
                'QUEUE_CONNECTION' => 'sync', 'LOG_CHANNEL' => 'single', 'LOG_LEVEL' => 'warning',
            ]);
            $this->artisan($site, 'optimize');
            $this->sites[$key] = $site;
        }

        return $this->sites[$key];
    }

    public function proxy(float $delay): DelayProxy
    {
        return $this->proxies["$delay"] ??= DelayProxy::start($this->workspace, $this->database->port, $delay);
    }

    private function artisan(Site $site, string ...$arguments): void
    {
        Program::must("artisan $arguments[0]", [PHP_BINARY, 'artisan', ...array_values($arguments), '--no-interaction'], $site->env, $site->directory);
    }

    /** Nothing is written to the example: only what Composer has put there is shared. */
    private function copy(string $name): string
    {
        $example = $this->workspace->example();
        $own = "{$this->workspace->root}/bench/application";
        $directory = "{$this->workspace->run}/sites/$name";
        foreach (['bootstrap/cache', 'bench/classes', 'vendor', ...array_map(static fn (string $below): string => "storage/$below", self::STORAGE)] as $below) {
            Workspace::directory("$directory/$below");
        }
        $files = array_map(static fn (string $file): string => "$example/$file", self::COPIED);
        Program::must('copying the example', ['cp', '-r', ...$files, "$own/bootstrap", $directory]);
        Program::must('copying its routes', ['cp', '-r', "$own/routes", "$directory/bench"]);
        symlink("$example/vendor/composer", "$directory/vendor/composer");
        $loads = ['Bench\\Application\\' => "$own/src"];
        $octane = $this->workspace->octane();
        if ($octane !== null) {
            $loads['Laravel\\Octane\\'] = "$octane/src";
            copy("$octane/config/octane.php", "$directory/config/octane.php");
        }
        $code = "<?php\n\n\$loader = require " . var_export("$example/vendor/autoload.php", true) . ";\n";
        foreach ($loads as $prefix => $path) {
            $code .= '$loader->addPsr4(' . var_export($prefix, true) . ', ' . var_export($path, true) . ");\n";
        }
        $code .= "\nreturn \$loader;\n";
        Workspace::put("$directory/vendor/autoload.php", $code);
        for ($i = 0; $i < self::CLASSES; $i++) {
            self::generate("$directory/bench/classes", sprintf('C%03d', $i), $i);
        }

        return $directory;
    }

    private static function generate(string $directory, string $name, int $number): void
    {
        $methods = '';
        for ($m = 0; $m < 20; $m++) {
            $methods .= "    public function method$m(array \$values, string \$prefix = 'p$m'): string\n    {\n"
                . "        return implode(', ', array_map(static fn (\$v) => \$prefix . \$v, \$values));\n    }\n\n";
        }
        Workspace::put("$directory/$name.php", "<?php\n\nnamespace Bench\\Generated;\n\nfinal class $name\n{\n    private array \$values = ['a' => $number];\n\n"
            . "{$methods}    public function number(): int\n    {\n        return \$this->values['a'];\n    }\n}\n");
    }
}
