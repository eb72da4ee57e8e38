<?php

declare(strict_types=1);

// One way of running behaviours, in a process of its own; started by main.php.

use Weft\IsolationTests\Options;
use Weft\IsolationTests\Worker;

require dirname(__DIR__, 2) . '/examples/laravel/vendor/autoload.php';
require __DIR__ . '/autoload.php';

(new Worker(Options::parse(array_slice($argv, 1), Worker::OPTIONS)))->work();
