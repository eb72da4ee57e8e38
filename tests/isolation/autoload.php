<?php

declare(strict_types=1);

// The harness's own classes, what all tests use and the command's, beside those of the application's Composer packages.
spl_autoload_register(static function (string $class): void {
    $directories = [
        'Weft\\IsolationTests\\' => __DIR__ . '/src/',
        'Weft\\TestSupport\\' => dirname(__DIR__) . '/support/',
        'Weft\\Command\\' => dirname(__DIR__, 2) . '/packages/command/src/',
    ];
    foreach ($directories as $prefix => $directory) {
        $file = $directory . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
        if (str_starts_with($class, $prefix) && is_file($file)) {
            require $file;
        }
    }
});
