<?php

declare(strict_types=1);

// The same on Swoole's own server: swoole-broadcast.php PORT WORKERS. Its connections are those of all workers in SWOOLE_PROCESS only.

use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\WebSocket\Server;

[, $port, $workers] = $argv;
$server = new Server('127.0.0.1', (int) $port, SWOOLE_PROCESS);
$server->set(['worker_num' => (int) $workers, 'reactor_num' => (int) $workers, 'max_connection' => 100_000, 'log_level' => SWOOLE_LOG_ERROR]);
$server->on('message', static function (): void {
});
$server->on('request', static function (Request $request, Response $response) use ($server): void {
    foreach ($server->connections as $client) {
        if ($server->isEstablished($client)) {
            $server->push($client, $request->getContent());
        }
    }
    $response->end('published');
});
$server->start();
