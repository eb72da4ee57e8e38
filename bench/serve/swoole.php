<?php

declare(strict_types=1);

// The pages on Swoole's own server: swoole.php PORT WORKERS

use Swoole\Coroutine\Channel;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;
use Weft\Bench\Serve\Connection;
use Weft\Bench\Serve\Pages;

require __DIR__ . '/Pages.php';
require __DIR__ . '/Connection.php';

[, $port, $workers] = $argv;
$certificate = (string) getenv('TLS_CERT');
// Each worker accepts for itself: in SWOOLE_PROCESS another process passes every byte on, which halves what one worker serves.
$server = new Server('127.0.0.1', (int) $port, SWOOLE_BASE, SWOOLE_SOCK_TCP | ($certificate === '' ? 0 : SWOOLE_SSL));
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
    'package_max_length' => 32 << 20,
    'log_level' => SWOOLE_LOG_ERROR,
    ...(getenv('HTTP2') === '1' ? ['open_http2_protocol' => true] : []),
    ...($certificate === '' ? [] : ['ssl_cert_file' => $certificate, 'ssl_key_file' => (string) getenv('TLS_KEY')]),
]);

/** Connections of a worker: made when all are lent, up to a number. */
final class Pool
{
    private readonly Channel $idle;
    private int $made = 0;

    public function __construct(private readonly int $most)
    {
        $this->idle = new Channel($most);
    }

    public function lend(Closure $work): mixed
    {
        $connection = $this->idle->isEmpty() && $this->made < $this->most ? $this->open() : $this->idle->pop();
        try {
            return $work($connection);
        } finally {
            $this->idle->push($connection);
        }
    }

    private function open(): Connection
    {
        $this->made++;

        return Connection::open();
    }
}

$pages = null;
$server->on('workerStart', static function () use (&$pages): void {
    $pool = new Pool((int) (getenv('DB_POOL') ?: 1));
    $pages = new Pages($pool->lend(...));
    if (Connection::isThere()) {
        $pages->remember();
    }
});
$server->on('request', static function (Request $request, Response $response) use (&$pages): void {
    $path = $request->server['request_uri'];
    if (str_starts_with($path, '/static/') && ($file = Pages::file($path)) !== null) {
        $response->header('Content-Type', $file[0]);
        $response->sendfile($file[1]);

        return;
    }
    [$type, $body, $status] = $pages->answer($path, $request->get ?? [], $request->server['request_method'] === 'POST' ? $request->getContent() : '');
    if ($type !== null) {
        $response->status($status);
        $response->header('Content-Type', $type);
    }
    $response->end($body);
});
$server->start();
