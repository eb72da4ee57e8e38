<?php

declare(strict_types=1);

namespace Weft\Bridge;

/**
 * Recognises what a path holds.
 */
final class Applications
{
    private const SERVED = 'a Laravel directory, a directory of PHP scripts, or a PHP file that returns a callable';

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
        $around = self::laravelAround($real);
        if ($around !== null && (is_dir($real) || in_array($real, ["$around/artisan", "$around/public/index.php"], true))) {
            throw new UnusableApplication("$real is only a part of the Laravel application $around. Give that directory.");
        }
        if (is_file($real)) {
            return new Callable\Application($real);
        }
        if (Laravel\Application::isIn($real)) {
            return new Laravel\Application($real);
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
                "$path holds nothing that can be served: Laravel would have artisan and bootstrap/app.php in it, and there is no " .
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
     * The Laravel application that a path is a part of, but not its root: people give public/, as to a web server.
     */
    private static function laravelAround(string $path): ?string
    {
        if (Laravel\Application::isIn($path)) {
            return null;
        }
        while (dirname($path) !== $path) {
            $path = dirname($path);
            if (Laravel\Application::isIn($path)) {
                return $path;
            }
        }

        return null;
    }
}
