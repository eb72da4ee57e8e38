<?php

declare(strict_types=1);

// The visits in classic mode: a script that is executed for each.

use Weft\ExtensionTests\Visit;

require_once dirname(__DIR__, 2) . '/autoload.php';

echo Visit::answer(is_string($_GET['module'] ?? null) ? $_GET['module'] : '', is_numeric($_GET['who'] ?? null) ? (int) $_GET['who'] : 0);
