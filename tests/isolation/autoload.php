<?php

declare(strict_types=1);

// The harness's own classes and what all tests use, beside those of the application's Composer packages.
spl_autoload_register(static function (string $class): void {
    foreach (['Weft\\IsolationTests\\' => __DIR__ . '/src/', 'Weft\\TestSupport\\' => dirname(__DIR__) . '/support/'] as $prefix => $directory) {
        $file = $directory . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
        if (str_starts_with($class, $prefix) && is_file($file)) {
            require $file;
        }
    }
});
