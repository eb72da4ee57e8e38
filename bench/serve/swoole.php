<?php

declare(strict_types=1);

// The pages of bench/serve/plain.php on Swoole's own server: swoole.php PORT WORKERS

use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

[, $port, $workers] = $argv;
$server = new Server('127.0.0.1', (int) $port, SWOOLE_PROCESS);
$server->set([
    'worker_num' => (int) $workers,
    'enable_coroutine' => true,
    'hook_flags' => SWOOLE_HOOK_ALL,
    'max_request' => 0,
    'max_connection' => 100_000,
    'max_coroutine' => 100_000,
    'log_level' => SWOOLE_LOG_ERROR,
]);
$page = require __DIR__ . '/pages.php';
$server->on('request', static function (Request $request, Response $response) use ($page): void {
    $response->end($page((string) $request->server['request_uri'], $request->get ?? []));
});
$server->start();
