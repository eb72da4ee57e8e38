<?php

declare(strict_types=1);

// The bridge's own autoloader: Weft\Bridge\*, Weft\Broadcasting\* and Weft\Http\*, nothing else.
spl_autoload_register(static function (string $class): void {
    if (preg_match('/^Weft\\\\((?:Bridge|Broadcasting|Http)(?:\\\\\w+)+)$/', $class, $match) === 1) {
        $file = __DIR__ . '/src/' . strtr($match[1], '\\', '/') . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
