<?php

declare(strict_types=1);

// What `weft audit` executes: a fresh process, in which none of the command's classes exist.
require __DIR__ . '/autoload.php';

Weft\Bridge\Audit\Audit::main();
