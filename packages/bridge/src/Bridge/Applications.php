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
        if ($real === false) {
            throw new UnusableApplication("$path does not exist. Give a Laravel directory, or a PHP file that returns a callable.");
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
}
