<?php

declare(strict_types=1);

// install.php DIR: needs no package itself.

use Weft\PackageTests\Install;

require __DIR__ . '/src/Install.php';

(new Install(dirname(__DIR__, 2), $argv[1] ?? ''))->run();
