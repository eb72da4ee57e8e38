<?php

declare(strict_types=1);

// What `run` starts when everything is set up.

use Weft\IsolationTests\Driver;
use Weft\IsolationTests\Options;

require dirname(__DIR__, 2) . '/examples/laravel/vendor/autoload.php';
require __DIR__ . '/autoload.php';

try {
    exit((new Driver(Options::parse(array_slice($argv, 1), Driver::OPTIONS)))->run());
} catch (InvalidArgumentException | LogicException | RuntimeException $problem) {
    fwrite(STDERR, "isolation: {$problem->getMessage()}\n");
    exit(2);
}
