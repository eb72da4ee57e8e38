<?php

declare(strict_types=1);

// A request that a debugger stops at the line of "$sum".

return static function (): string {
    $one = 1;
    $sum = $one + (is_string($_GET['number'] ?? null) ? (int) $_GET['number'] : 1);
    usleep(1000);

    return "sum $sum\n";
};
