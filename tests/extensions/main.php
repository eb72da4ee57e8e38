<?php

declare(strict_types=1);

// What `run` starts when everything is set up.

use Weft\ExtensionTests\Driver;

require dirname(__DIR__, 2) . '/vendor/autoload.php';
require __DIR__ . '/autoload.php';

try {
    exit((new Driver(dirname(__DIR__, 2), array_slice($argv, 1)))->run());
} catch (InvalidArgumentException | RuntimeException $problem) {
    fwrite(STDERR, "extensions: {$problem->getMessage()}\n");
    exit(2);
}
