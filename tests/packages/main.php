<?php

declare(strict_types=1);

// What `run` starts when everything is set up.

use Weft\IsolationTests\Options;
use Weft\PackageTests\Driver;

require __DIR__ . '/autoload.php';

try {
    exit((new Driver(Options::parse(array_slice($argv, 1), Driver::OPTIONS)))->run());
} catch (InvalidArgumentException | RuntimeException $problem) {
    fwrite(STDERR, "packages: {$problem->getMessage()}\n");
    exit(2);
}
