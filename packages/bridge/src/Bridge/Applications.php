<?php

declare(strict_types=1);

namespace Weft\Bridge;

use Closure;

/**
 * Recognises what a path holds.
 */
final class Applications
{
    private const SERVED = 'a Laravel or a Symfony directory, a directory of PHP scripts, or a PHP file that returns a callable or a PSR-15 request handler';

    /**
     * @param bool $classic its scripts are to be executed, whatever it is
     * @throws UnusableApplication
     */
    public static function recognise(string $path, bool $classic = false): Application
    {
        $real = realpath($path);
        $closed = self::closedDirectory($path);
        if ($closed !== null) {
            throw UnusableApplication::forbidden($closed, 'entered');
        }
        if ($real === false) {
            throw new UnusableApplication("$path does not exist. Give " . self::SERVED . '.');
        }
        if ($classic) {
            return self::scripts($real);
        }
        self::refusePartOf('Laravel', Laravel\Application::isIn(...), ['artisan', 'public/index.php'], $real);
        self::refusePartOf('Symfony', Symfony\Application::isIn(...), ['bin/console', 'public/index.php'], $real);
        if (is_file($real)) {
            return new Callable\Application($real);
        }
        if (Laravel\Application::isIn($real)) {
            return new Laravel\Application($real);
        }
        if (Symfony\Application::isIn($real)) {
            return new Symfony\Application($real);
        }

        return self::scripts($real);
    }

    private static function scripts(string $path): Classic\Application
    {
        if (is_file($path)) {
            throw new UnusableApplication("$path is a file. Give the directory that a web server would serve, or the one around it.");
        }
        if (is_readable($path) && !Classic\Application::isIn($path)) {
            throw new UnusableApplication(
                "$path holds nothing that can be served: Laravel would have artisan and bootstrap/app.php in it, Symfony src/Kernel.php and config/bundles.php, and there is no " .
                Classic\Application::description() . '. Give ' . self::SERVED . '.',
            );
        }

        return new Classic\Application($path);
    }

    /**
     * The directory on the way to it, or itself, that this user may not enter: what is in there then seems to be missing.
     */
    private static function closedDirectory(string $path): ?string
    {
        $directory = $path;
        while (!is_dir($directory) && dirname($directory) !== $directory) {
            $directory = dirname($directory);
        }

        return is_executable($directory) ? null : $directory;
    }

    /**
     * A part of an application, but not its root: people give public/, as to a web server.
     *
     * @param Closure(string): bool $isIn whether a directory is the root of an application of that kind
     * @param list<string> $entrances files of it that one could mean the application by
     * @throws UnusableApplication
     */
    private static function refusePartOf(string $kind, Closure $isIn, array $entrances, string $path): void
    {
        for ($around = $path; !$isIn($around); $around = dirname($around)) {
            if ($around === dirname($around)) {
                return;
            }
        }
        if ($around !== $path && (is_dir($path) || in_array(substr($path, strlen($around) + 1), $entrances, true))) {
            throw new UnusableApplication("$path is only a part of the $kind application $around. Give that directory.");
        }
    }
}
