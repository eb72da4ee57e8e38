<?php

declare(strict_types=1);

namespace Weft\Bridge;

/**
 * Recognises what a path holds.
 */
final class Applications
{
    /**
     * @throws UnusableApplication
     */
    public static function recognise(string $path): Application
    {
        $real = realpath($path);
        $closed = self::closedDirectory($path);
        if ($closed !== null) {
            throw UnusableApplication::forbidden($closed, 'entered');
        }
        if ($real === false) {
            throw new UnusableApplication("$path does not exist. Give a Laravel directory, or a PHP file that returns a callable.");
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
        throw new UnusableApplication(
            "$real is not a Laravel application: it has no artisan and bootstrap/app.php. " .
            'Give a Laravel directory, or a PHP file that returns a callable.',
        );
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
