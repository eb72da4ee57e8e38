--TEST--
First come, first served: who has a statement on a connection does not overtake, and 10,000 requests through 4 connections wait about equally long
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=4
--FILE--
<?php
require __DIR__ . '/servers.inc';

const REQUESTS = 10_000;
const AT_ONCE = 64;
const CONNECTIONS = 4;

/** Time, counted in connections that were given to somebody: how busy the machine is changes nothing. */
final class Clock
{
    public int $now = 0;
    public int $arrived = 0;
    /** @var list<int> */
    public array $waits = [];
}

$clock = new Clock();
Weft\Isolation\snapshot();
on_each_server(function (DatabaseServer $server) use ($clock) {
    // all but one connection are taken: who comes first is served first
    $order = [];
    $line = [];
    $served = Async\spawn(function () use (&$line): void {
        do {
            Async\delay(1);
        } while (!$line);
        array_map(Async\await(...), $line);
    });
    $holder = Async\spawn(fn () => at_once(CONNECTIONS - 1, function () use ($server, $served) {
        $pdo = $server->open();
        $pdo->beginTransaction();
        Async\await($served);
    }));
    $leased = fn (): int => array_sum(array_map(fn (array $pool): int => $pool['leased'], Weft\Pool::stats()));
    while ($leased() < CONNECTIONS - 1) {
        Async\delay(5);
    }
    for ($i = 0; $i < 40; $i++) {
        $line[] = Async\spawn(function () use ($server, $i, &$order) {
            $order[] = Async\await(Async\spawn(fn () => Weft\Isolation\run(function () use ($server, $i) {
                $server->open()->query('select 1')->fetchAll();
                return $i;
            })));
        });
    }
    Async\await($served);
    Async\await($holder);
    echo 'in their order: ', var_export($order === range(0, 39), true), "\n";

    // whoever executes one statement again and again lets the others pass in between, when his age counts no more
    $all = at_once(CONNECTIONS + 1, function (int $i) use ($server) {
        $pdo = $server->open();
        if ($i === CONNECTIONS) {
            Async\delay(30);
            $pdo->query('select 1')->fetchAll();
            return hrtime(true);
        }
        $statement = $pdo->prepare($server->sleep(0.001));
        for ($n = 0; $n < 250; $n++) {
            $statement->execute();
            $statement->fetchAll();
        }
        return hrtime(true);
    });
    echo 'between those of others: ', var_export($all[CONNECTIONS] < min(array_slice($all, 0, CONNECTIONS)), true), "\n";

    // neither driver says anything to the server for this prepare(): when it returns, the request's turn has come
    $request = function () use ($server, $clock) {
        $pdo = $server->open([PDO::ATTR_EMULATE_PREPARES => $server->isMySql()]);
        $since = $clock->now;
        $statement = $pdo->prepare('select 1');
        $clock->waits[] = ++$clock->now - $since;
        $statement->execute();
        $statement->fetchAll();
    };
    $workers = [];
    for ($i = 0; $i < AT_ONCE; $i++) {
        $workers[] = Async\spawn(function () use ($request, $clock) {
            while ($clock->arrived++ < REQUESTS) {
                Async\await(Async\spawn($request));
            }
        });
    }
    array_map(Async\await(...), $workers);
    $waits = $clock->waits;
    sort($waits);
    $median = $waits[(int) (count($waits) * 0.95)];
    printf("%d requests, the longest wait %s\n", count($waits), end($waits) <= 3 * $median ? 'is like the others' : end($waits) . " others, the slowest tenth's median $median");
    $clock->waits = [];
    $clock->now = 0;
    $clock->arrived = 0;
});
?>
--EXPECT--
-- pgsql
in their order: true
between those of others: true
10000 requests, the longest wait is like the others
-- mysql
in their order: true
between those of others: true
10000 requests, the longest wait is like the others
