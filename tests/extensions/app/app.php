<?php

declare(strict_types=1);

// The visits as a callable.

use Weft\ExtensionTests\Visit;
use Weft\Http\Request;

require_once dirname(__DIR__) . '/autoload.php';

return static function (Request $request): string {
    $module = $request->query('module');
    $who = $request->query('who');

    return Visit::answer(is_string($module) ? $module : '', is_numeric($who) ? (int) $who : 0);
};
