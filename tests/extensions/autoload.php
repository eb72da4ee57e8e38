<?php

declare(strict_types=1);

// The classes of tests/extensions and of tests/support, beside Composer's.
spl_autoload_register(static function (string $class): void {
    foreach (['Weft\\ExtensionTests\\' => __DIR__ . '/src/', 'Weft\\TestSupport\\' => dirname(__DIR__) . '/support/'] as $prefix => $directory) {
        $file = $directory . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
        if (str_starts_with($class, $prefix) && is_file($file)) {
            require $file;
        }
    }
});
