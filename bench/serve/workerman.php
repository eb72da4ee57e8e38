<?php

declare(strict_types=1);

// The pages on Workerman: workerman.php PORT WORKERS DIRECTORY, in which Composer has put it. A query blocks its worker.

use Weft\Bench\Serve\Connection;
use Weft\Bench\Serve\Pages;
use Workerman\Connection\TcpConnection;
use Workerman\Protocols\Http\Request;
use Workerman\Protocols\Http\Response;
use Workerman\Timer;
use Workerman\Worker;

[, $port, $workers, $directory] = $argv;
require "$directory/vendor/autoload.php";
require __DIR__ . '/Pages.php';
require __DIR__ . '/Connection.php';

// Neither is sent by itself; the date is made once a second.
$headers = ['Server' => 'workerman'];
// Workerman looks for its command there.
$argv = [__FILE__, 'start'];
Worker::$pidFile = sys_get_temp_dir() . "/weft-bench-workerman-$port.pid";
Worker::$statusFile = sys_get_temp_dir() . "/weft-bench-workerman-$port.status";
Worker::$logFile = '/dev/null';
TcpConnection::$defaultMaxPackageSize = 32 << 20;

$server = new Worker("http://127.0.0.1:$port");
$server->count = (int) $workers;
$server->reusePort = $workers !== '1';
$pages = null;
$server->onWorkerStart = static function () use (&$pages, &$headers): void {
    $connection = Connection::isThere() ? Connection::open() : null;
    $pages = new Pages(static fn (Closure $work): mixed => $work($connection));
    if ($connection !== null) {
        $pages->remember();
    }
    $date = static function () use (&$headers): void {
        $headers['Date'] = gmdate('D, d M Y H:i:s \G\M\T');
    };
    $date();
    Timer::add(1, $date);
};
$server->onMessage = static function (TcpConnection $client, Request $request) use (&$pages, &$headers): void {
    $path = $request->path();
    if (str_starts_with($path, '/static/') && ($file = Pages::file($path)) !== null) {
        $client->send((new Response(200, ['Content-Type' => $file[0]] + $headers))->withFile($file[1]));

        return;
    }
    if ($path === '/sleep') {
        Timer::delay((int) $request->get('ms', 1000) / 1000, static fn () => $client->send("slept\n"));

        return;
    }
    [$type, $body, $status] = $pages->answer($path, $request->get(), $request->method() === 'POST' ? $request->rawBody() : '');
    $client->send($type === null ? $body : new Response($status, ['Content-Type' => $type] + $headers, $body));
};
Worker::runAll();
