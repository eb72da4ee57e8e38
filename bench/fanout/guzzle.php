<?php

declare(strict_types=1);

use GuzzleHttp\Client;
use GuzzleHttp\Handler\CurlMultiHandler;
use GuzzleHttp\HandlerStack;
use GuzzleHttp\Promise\Utils;
use Psr\Http\Message\ResponseInterface;
use Weft\Bench\Fanout\Report;

require dirname(__DIR__, 2) . '/examples/laravel/vendor/autoload.php';
require __DIR__ . '/Report.php';

$handler = new CurlMultiHandler();
$client = new Client(['handler' => HandlerStack::create($handler)]);
$pdo = new PDO('mysql:host=127.0.0.1;port=' . Report::mysqlPort() . ';dbname=weft', 'weft');

// The requests are on their way while PDO waits for one query after the other.
Report::main(static function (Report $report) use ($handler, $client, $pdo): array {
    $promises = [];
    foreach ($report->requests as $name => $url) {
        $promises[$name] = $client->getAsync($url);
    }
    $handler->tick();
    $answers = [];
    foreach ($report->queries as $name => [$figure, $seconds]) {
        $answers[$name] = (int) $pdo->query(Report::sql($figure, $seconds))->fetchColumn();
    }

    return $answers + array_map(
        static fn (ResponseInterface $response): int|float => Report::figure((string) $response->getBody()),
        Utils::unwrap($promises),
    );
});
