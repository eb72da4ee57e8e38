<?php

declare(strict_types=1);

// round-trips.php [--requests=300] [--at-once=16]: what a request of /bench (ten queries, Laravel) costs with one worker
// and the database 1.1 ms away each way: round trips, counted by the proxy, connections, time and the worker's CPU.
// First with a connection for each request and without kept statements, as PDO does it by itself, then with the pool,
// then with the kept statements as well.

use Weft\Bench\Arms\WeftServer;
use Weft\Bench\DelayProxy;
use Weft\Bench\Failure;
use Weft\Bench\Http;
use Weft\Bench\Missing;
use Weft\Bench\Postgres;
use Weft\Bench\Process;
use Weft\Bench\ProcessTree;
use Weft\Bench\Workspace;

require __DIR__ . '/../autoload.php';

const AWAY_MS = 1.1;
const WARM_UP = 40;

/** Asks so many times, so many at once, with processes of its own. */
function ask(Workspace $workspace, int $port, int $requests, int $atOnce): void
{
    [$status, $output] = Workspace::capture([Workspace::tool('h2load', 'nghttp2-client'), '--h1', "-n$requests", "-c$atOnce", '-t1', "http://127.0.0.1:$port/bench"]);
    if ($status !== 0 || preg_match('/(\d+) succeeded, 0 failed/', $output, $match) !== 1 || (int) $match[1] !== $requests || !str_contains($output, "status codes: $requests 2xx")) {
        throw new Failure("h2load: $output");
    }
}

$options = getopt('', ['requests:', 'at-once:']);
$requests = (int) ($options['requests'] ?? 300);
$atOnce = (int) ($options['at-once'] ?? 16);
$variants = [
    'a connection a request' => ['-d', 'weft.pdo_pool_max=0', '-d', 'weft.pdo_statement_cache=0'],
    'the pool' => ['-d', 'weft.pdo_statement_cache=0'],
    'the pool, statements kept' => [],
];
Process::endWithScript();
try {
    $workspace = new Workspace(sys_get_temp_dir());
    $application = $workspace->application();
    $database = Postgres::start($workspace);
    $near = $database->environment() + ['APP_ENV' => 'production', 'APP_DEBUG' => 'false', 'LOG_CHANNEL' => 'stderr'];
    [$status, $output] = Workspace::capture([PHP_BINARY, "$application/artisan", 'migrate:fresh', '--seed', '--force'], $near, $application);
    if ($status !== 0) {
        throw new Failure("artisan migrate: $output");
    }
    $proxy = DelayProxy::start($workspace, $database->port, AWAY_MS);
    printf("%d requests of /bench, %d at once, one worker, the database %.1f ms away each way\n", $requests, $atOnce, AWAY_MS);
    printf("%-28s %12s %14s %12s %14s\n", '', 'round trips', 'connections', 'requests/s', 'CPU ms');
    foreach ($variants as $name => $directives) {
        $server = WeftServer::start($workspace, $application, 1, $directives, $database->environment($proxy->port) + $near);
        Http::body($server->port(), '/bench');
        ask($workspace, $server->port(), WARM_UP, $atOnce);
        $before = $proxy->counts();
        $cpu = ProcessTree::of(...$server->workers())->cpuSeconds();
        $start = hrtime(true);
        ask($workspace, $server->port(), $requests, $atOnce);
        $seconds = (hrtime(true) - $start) / 1e9;
        $cpu = ProcessTree::of(...$server->workers())->cpuSeconds() - $cpu;
        $after = $proxy->counts();
        printf(
            "%-28s %12.1f %14.2f %12.1f %14.2f\n",
            $name,
            ($after['roundTrips'] - $before['roundTrips']) / $requests,
            ($after['connections'] - $before['connections']) / $requests,
            $requests / $seconds,
            $cpu / $requests * 1000,
        );
        $server->stop();
    }
} catch (Missing | Failure $e) {
    fwrite(STDERR, $e->getMessage() . "\n");
    exit($e instanceof Missing ? 0 : 1);
}
