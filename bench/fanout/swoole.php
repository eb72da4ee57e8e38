<?php

declare(strict_types=1);

use Swoole\Coroutine;
use Swoole\Coroutine\Http\Client;
use Swoole\Runtime;
use Weft\Bench\Fanout\Report;

require __DIR__ . '/Report.php';

Runtime::enableCoroutine(SWOOLE_HOOK_ALL);

// A connection for each query, kept from one run to the next; Swoole's own client for HTTP.
Coroutine\run(static function (): void {
    $connections = [];
    $connect = static fn (): PDO => new PDO('mysql:host=127.0.0.1;port=' . Report::mysqlPort() . ';dbname=weft', 'weft');
    Report::main(static function (Report $report) use (&$connections, $connect): array {
        $tasks = [];
        foreach ($report->requests as $name => $url) {
            $tasks[$name] = static function () use ($url): int|float {
                $parts = parse_url($url);
                $client = new Client($parts['host'], $parts['port']);
                $client->get("$parts[path]?$parts[query]");

                return Report::figure($client->body);
            };
        }
        foreach ($report->queries as $name => [$figure, $seconds]) {
            $tasks[$name] = static function () use (&$connections, $connect, $name, $figure, $seconds): int {
                $connections[$name] ??= $connect();

                return (int) $connections[$name]->query(Report::sql($figure, $seconds))->fetchColumn();
            };
        }
        $answers = [];
        $all = new Coroutine\WaitGroup();
        foreach ($tasks as $name => $task) {
            $all->add();
            Coroutine::create(static function () use ($all, $name, $task, &$answers): void {
                $answers[$name] = $task();
                $all->done();
            });
        }
        $all->wait();

        return $answers;
    });
});
