<?php

declare(strict_types=1);

// The pages in PHP-FPM: its connection to the database is all that a request finds of the one before.

use Weft\Bench\Serve\Connection;
use Weft\Bench\Serve\Pages;

require __DIR__ . '/../Pages.php';
require __DIR__ . '/../Connection.php';

$pages = new Pages(static fn (Closure $work): mixed => $work(Connection::open(true)));
$path = rawurldecode((string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
[$type, $body, $status] = $pages->answer($path, $_GET, $_SERVER['REQUEST_METHOD'] === 'POST' ? null : '');
http_response_code($status);
if ($type !== null) {
    header("Content-Type: $type");
}
echo $body;
