<?php

declare(strict_types=1);

use function Amp\async;
use function Amp\Future\await;

use Amp\Http\Client\HttpClientBuilder;
use Amp\Http\Client\Request;
use Amp\Mysql\MysqlConfig;
use Amp\Mysql\MysqlConnectionPool;
use Weft\Bench\Fanout\Report;

// Where Composer has put amphp: the suite says so.
require getenv('WEFT_BENCH_AMPHP') . '/vendor/autoload.php';
require __DIR__ . '/Report.php';

$client = HttpClientBuilder::buildDefault();
$pool = new MysqlConnectionPool(MysqlConfig::fromString('host=127.0.0.1 port=' . Report::mysqlPort() . ' user=weft db=weft'));

Report::main(static function (Report $report) use ($client, $pool): array {
    $futures = [];
    foreach ($report->requests as $name => $url) {
        $futures[$name] = async(static fn (): int|float => Report::figure($client->request(new Request($url))->getBody()->buffer()));
    }
    foreach ($report->queries as $name => [$figure, $seconds]) {
        $futures[$name] = async(static fn (): int => (int) $pool->query(Report::sql($figure, $seconds))->fetchRow()['figure']);
    }

    return await($futures);
});
