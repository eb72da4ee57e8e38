<?php

declare(strict_types=1);

// The pages of bench/serve/plain.php on Swoole's own server: swoole.php PORT WORKERS

use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

[, $port, $workers] = $argv;
// Each worker accepts for itself: in SWOOLE_PROCESS another process passes every byte on, which halves what one worker serves.
$server = new Server('127.0.0.1', (int) $port, SWOOLE_BASE);
// A process serves all of them, so PHP's limit for one request means nothing here.
ini_set('memory_limit', '-1');
$server->set([
    'worker_num' => (int) $workers,
    'enable_coroutine' => true,
    'hook_flags' => SWOOLE_HOOK_ALL,
    'max_request' => 0,
    'enable_reuse_port' => $workers !== '1',
    'max_connection' => 100_000,
    'max_coroutine' => 100_000,
    'log_level' => SWOOLE_LOG_ERROR,
]);
$page = require __DIR__ . '/pages.php';
$server->on('request', static function (Request $request, Response $response) use ($page): void {
    $response->end($page((string) $request->server['request_uri'], $request->get ?? []));
});
$server->start();
