<?php

declare(strict_types=1);

// The packages, the classes of this room, and what all tests use. `run` says where Composer has put Laravel.

use Composer\Autoload\ClassLoader;
use Weft\PackageTests\Packages;

/** @var ClassLoader $loader */
$loader = require (getenv('PACKAGES_VENDOR') ?: dirname(__DIR__, 2) . '/examples/laravel/vendor') . '/autoload.php';
$loader->addPsr4('Weft\\PackageTests\\', __DIR__ . '/src');
$loader->addPsr4('Weft\\IsolationTests\\', dirname(__DIR__) . '/isolation/src');
$loader->addPsr4('Weft\\TestSupport\\', dirname(__DIR__) . '/support');
Packages::load($loader);
