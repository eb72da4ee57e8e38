--TEST--
weft.pdo_pool_max=auto: ten connections a pool, and all pools of all workers together no more than 80 % of what the server has
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--FILE--
<?php
require __DIR__ . '/servers.inc';

Weft\Isolation\snapshot();
echo ini_get('weft.pdo_pool_max'), "\n";
on_each_server(function (DatabaseServer $server) {
    $sizes = fn (): array => array_column(array_filter(Weft\Pool::stats(), fn (array $pool, string $name) => str_starts_with($name, $server->name), ARRAY_FILTER_USE_BOTH), 'size');
    $limit = fn (): array => array_column(
        array_filter(Weft\Pool::stats(), fn (array $pool, string $name) => str_starts_with($name, $server->name), ARRAY_FILTER_USE_BOTH),
        'maximum',
    );
    $work = fn (int $pool) => function () use ($server, $pool): int {
        $pdo = $server->open([PDO::ATTR_TIMEOUT => 200 + $pool, PDO::ATTR_EMULATE_PREPARES => true]);
        $pdo->beginTransaction();
        $one = (int) $pdo->query('select 1')->fetchColumn();
        $pdo->query($server->sleep(0.003))->fetchAll();
        $pdo->commit();
        return $one;
    };
    $most = (int) $server->open()->query($server->isMySql() ? 'select @@max_connections' : 'show max_connections')->fetchColumn();
    echo 'one pool: ', array_sum(at_once(40, $work(0))), ' served by ', max($sizes()), ' of ', max($limit()), "\n";
    for ($pool = 1; $pool <= 19; $pool++) {
        at_once(20, $work($pool));
        if (array_sum($sizes()) > 0.8 * $most) {
            echo "too many: ", array_sum($sizes()), "\n";
        }
    }
    at_once(20, $work(0));
    echo 'many pools: ', array_unique($limit()) === [10] && max($sizes()) <= 10 && array_sum($sizes()) > 50 ? 'together no more' : json_encode([$most, $limit(), $sizes()]), "\n";
    Weft\Pool::closeIdle();
});
?>
--EXPECT--
auto
-- pgsql
one pool: 40 served by 10 of 10
many pools: together no more
-- mysql
one pool: 40 served by 10 of 10
many pools: together no more
