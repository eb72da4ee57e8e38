<?php

declare(strict_types=1);

// The benchmark suite has no dependency, so it needs no Composer either.
spl_autoload_register(static function (string $class): void {
    $prefix = 'Weft\\Bench\\';
    if (str_starts_with($class, $prefix)) {
        $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
