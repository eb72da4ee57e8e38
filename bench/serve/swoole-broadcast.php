<?php

declare(strict_types=1);

// The same on Swoole's own server: swoole-broadcast.php PORT WORKERS swoole|swoole-base. In base mode each worker has the connections that it
// has accepted, and is told by the others what is published; in process mode every worker sends to all connections.

use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\WebSocket\Server;

[, $port, $workers, $kind] = $argv;
$base = $kind === 'swoole-base';
$server = new Server('127.0.0.1', (int) $port, $base ? SWOOLE_BASE : SWOOLE_PROCESS);
$server->set(['worker_num' => (int) $workers, 'reactor_num' => (int) $workers, 'max_connection' => 100_000, 'log_level' => SWOOLE_LOG_ERROR]);
$push = static function (string $message) use ($server): void {
    foreach ($server->connections as $client) {
        if ($server->isEstablished($client)) {
            $server->push($client, $message);
        }
    }
};
$server->on('message', static function (): void {
});
$server->on('pipeMessage', static fn (Server $server, int $worker, string $message) => $push($message));
$server->on('request', static function (Request $request, Response $response) use ($server, $workers, $base, $push): void {
    $message = (string) $request->getContent();
    for ($worker = 0; $base && $worker < (int) $workers; $worker++) {
        if ($worker !== $server->worker_id) {
            $server->sendMessage($message, $worker);
        }
    }
    $push($message);
    $response->end('published');
});
$server->start();
