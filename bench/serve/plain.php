<?php

declare(strict_types=1);

// A plain callable with a few pages: what bin/weft itself costs.

$page = require __DIR__ . '/pages.php';

return static function (Weft\Http\Request $request) use ($page): string {
    $query = $request->query();

    return $page($request->path(), is_array($query) ? $query : []);
};
