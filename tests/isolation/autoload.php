<?php

declare(strict_types=1);

// The harness's own classes, beside those of the application's Composer packages.
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Weft\\IsolationTests\\')) {
        $file = __DIR__ . '/src/' . strtr(substr($class, strlen('Weft\\IsolationTests\\')), '\\', '/') . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
