<?php

declare(strict_types=1);

use GuzzleHttp\Client;
use Weft\Bench\Fanout\Report;

require dirname(__DIR__, 2) . '/examples/laravel/vendor/autoload.php';
require __DIR__ . '/Report.php';

$client = new Client();
$pdo = new PDO('mysql:host=127.0.0.1;port=' . Report::mysqlPort() . ';dbname=weft', 'weft');

Report::main(static function (Report $report) use ($client, $pdo): array {
    $answers = [];
    foreach ($report->requests as $name => $url) {
        $answers[$name] = Report::figure((string) $client->get($url)->getBody());
    }
    foreach ($report->queries as $name => [$figure, $seconds]) {
        $answers[$name] = (int) $pdo->query(Report::sql($figure, $seconds))->fetchColumn();
    }

    return $answers;
});
