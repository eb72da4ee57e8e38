<?php

declare(strict_types=1);

// The pages as a plain callable: what bin/weft itself costs.

use Weft\Bench\Serve\Connection;
use Weft\Bench\Serve\Pages;
use Weft\Http\Request;
use Weft\Http\Response;

require __DIR__ . '/Pages.php';
require __DIR__ . '/Connection.php';

// A handle: each statement is executed on a connection of the worker's pool.
$connection = Connection::isThere() ? Connection::open() : null;
$pages = new Pages(static fn (Closure $work): mixed => $work($connection));
if ($connection !== null) {
    $pages->remember();
}

return static function (Request $request) use ($pages): string|Response {
    [$type, $body, $status] = $pages->answer($request->path(), $request->query(), $request->method() === 'POST' ? null : '');

    return $type === null ? $body : new Response($status, ['Content-Type' => $type], $body);
};
