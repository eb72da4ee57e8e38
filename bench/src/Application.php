<?php

declare(strict_types=1);

namespace Weft\Bench;

/**
 * The application under test: examples/laravel, with the routes of bench/application and, where a checkout of it was
 * given, Octane. Made of links in this run's directory, so neither is written to.
 */
final class Application
{
    private const CLASSES = 100;

    /** Links to the example; what names its own place (by __DIR__) is copied instead. */
    private const LINKS = ['app', 'database', 'resources', 'storage', 'routes/web.php', 'routes/api.php', 'config/report.php'];
    private const COPIES = ['artisan', 'public/index.php', 'composer.json'];

    public static function build(Workspace $workspace): string
    {
        $example = $workspace->application();
        $own = "$workspace->root/bench/application";
        $dir = "$workspace->run/application";
        Workspace::capture(['rm', '-rf', $dir]);
        foreach (['bootstrap/cache', 'bench/classes', 'routes', 'public', 'config', 'vendor'] as $below) {
            mkdir("$dir/$below", 0o777, true);
        }
        foreach (self::LINKS as $name) {
            symlink("$example/$name", "$dir/$name");
        }
        foreach (self::COPIES as $name) {
            copy("$example/$name", "$dir/$name");
        }
        foreach (['app.php', 'providers.php'] as $name) {
            copy("$own/bootstrap/$name", "$dir/bootstrap/$name");
        }
        symlink("$own/routes", "$dir/bench/routes");
        symlink("$example/vendor/composer", "$dir/vendor/composer");
        self::classes("$dir/bench/classes");
        $loads = ['Bench\\Application\\' => "$own/src"];
        $octane = self::octane($workspace);
        if ($octane !== null) {
            $loads['Laravel\\Octane\\'] = "$octane/src";
            copy("$octane/config/octane.php", "$dir/config/octane.php");
        }
        self::write("$dir/vendor/autoload.php", '$loader = require ' . var_export("$example/vendor/autoload.php", true) . ";\n"
            . implode('', array_map(
                static fn (string $prefix, string $path): string => '$loader->addPsr4(' . var_export($prefix, true) . ', ' . var_export($path, true) . ");\n",
                array_keys($loads),
                $loads,
            )) . "\nreturn \$loader;\n");

        return $dir;
    }

    /** A checkout of laravel/octane: var/octane, or where --octane= or WEFT_BENCH_OCTANE says. */
    public static function octane(Workspace $workspace): ?string
    {
        foreach ([(string) getenv('WEFT_BENCH_OCTANE'), "$workspace->root/var/octane"] as $dir) {
            if (is_file("$dir/src/OctaneServiceProvider.php")) {
                return $dir;
            }
        }

        return null;
    }

    /** A hundred classes of ordinary size. */
    private static function classes(string $dir): void
    {
        for ($i = 0; $i < self::CLASSES; $i++) {
            $name = sprintf('C%03d', $i);
            $methods = '';
            for ($m = 0; $m < 20; $m++) {
                $methods .= "    public function method$m(array \$values, string \$prefix = 'p$m'): string\n    {\n"
                    . "        return implode(', ', array_map(static fn (\$v) => \$prefix . \$v, \$values));\n    }\n\n";
            }
            self::write("$dir/$name.php", "namespace Bench\\Generated;\n\nfinal class $name\n{\n    private array \$values = ['a' => $i];\n\n"
                . "{$methods}    public function number(): int\n    {\n        return \$this->values['a'];\n    }\n}\n");
        }
    }

    private static function write(string $file, string $code): void
    {
        if (file_put_contents($file, "<?php\n\n$code") === false) {
            throw new Failure("Could not write $file");
        }
    }
}
