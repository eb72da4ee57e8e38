<?php

declare(strict_types=1);

// A request that sleeps, and says how many seconds PHP had left to sleep.

return static function (): string {
    $sign = $_GET['sign'] ?? null;
    if (is_string($sign)) {
        touch($sign);
    }

    return sleep(2) . " seconds left\n";
};
