--TEST--
Weft\Pool::stats() tells size, idle, leased, waiting, leases, waits and time limits passed, and how often a kept statement served
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=2
weft.pdo_acquire_timeout=0.6
error_log=/dev/null
--FILE--
<?php
require __DIR__ . '/servers.inc';

Weft\Isolation\snapshot();
on_each_server(function (DatabaseServer $server) {
    $pool = fn () => array_values(array_filter(Weft\Pool::stats(), fn (string $name) => str_starts_with($name, $server->name), ARRAY_FILTER_USE_KEY))[0];
    $open = fn () => $server->open();
    $show = function (string $when, string ...$names) use ($pool) {
        $now = $pool();
        echo $when, ': ', json_encode(array_combine($names, array_map(fn (string $name) => $now[$name], $names))), "\n";
    };
    at_once(1, fn () => $open()->query('select 1')->fetchAll());
    echo implode(' ', array_keys($pool())), "\n";
    $show('idle', 'size', 'idle', 'leased', 'waiting', 'maximum', 'timeouts', 'opened', 'medianWaitMs');
    // The holders let go when the waiters wait, which takes as long as it takes.
    $at_work = Async\spawn(function () use ($pool, $show) {
        until(fn () => $pool()['waiting'] === 3);
        $show('at work', 'size', 'idle', 'leased', 'waiting');
        Async\delay(20);
    });
    $holders = Async\spawn(fn () => at_once(2, function () use ($open, $at_work) {
        $pdo = $open();
        $pdo->beginTransaction();
        Async\await($at_work);
        $pdo->rollBack();
    }));
    until(fn () => $pool()['leased'] === 2);
    at_once(3, fn () => $open()->query('select 1')->fetchAll());
    Async\await($holders);
    $show('after it', 'size', 'idle', 'leased', 'waiting', 'timeouts', 'opened');
    $after = $pool();
    echo 'waited: ', $after['waited'] >= 3 ? 'three at least' : $after['waited'], ', leases: ', $after['acquired'] > $after['waited'] ? 'more' : $after['acquired'],
        ', longest: ', $after['p99WaitMs'] > 10 ? 'tens of milliseconds' : $after['p99WaitMs'], "\n";
    $before = $pool();
    at_once(1, function () use ($open) {
        for ($i = 0; $i < 5; $i++) {
            $open()->prepare('select 1 + 1')->execute();
        }
    });
    echo 'kept statements: ', $pool()['statementHits'] - $before['statementHits'], ', others ', $pool()['statementMisses'] - $before['statementMisses'], "\n";
    at_once(3, function (int $i) use ($open, $pool) {
        $pdo = $open();
        if ($i === 2) {
            until(fn () => $pool()['leased'] === 2);
            return caught(fn () => $pdo->query('select 1'));
        }
        $pdo->beginTransaction();
        until(fn () => $pool()['timeouts'] === 1);
        $pdo->rollBack();
    });
    $show('too long', 'timeouts', 'leased', 'waiting');
});
?>
--EXPECT--
-- pgsql
size idle leased waiting maximum acquired waited timeouts opened medianWaitMs p99WaitMs statementHits statementMisses
idle: {"size":1,"idle":1,"leased":0,"waiting":0,"maximum":2,"timeouts":0,"opened":1,"medianWaitMs":0}
at work: {"size":2,"idle":0,"leased":2,"waiting":3}
after it: {"size":2,"idle":2,"leased":0,"waiting":0,"timeouts":0,"opened":2}
waited: three at least, leases: more, longest: tens of milliseconds
kept statements: 4, others 1
too long: {"timeouts":1,"leased":0,"waiting":0}
-- mysql
size idle leased waiting maximum acquired waited timeouts opened medianWaitMs p99WaitMs statementHits statementMisses
idle: {"size":1,"idle":1,"leased":0,"waiting":0,"maximum":2,"timeouts":0,"opened":1,"medianWaitMs":0}
at work: {"size":2,"idle":0,"leased":2,"waiting":3}
after it: {"size":2,"idle":2,"leased":0,"waiting":0,"timeouts":0,"opened":2}
waited: three at least, leases: more, longest: tens of milliseconds
kept statements: 4, others 1
too long: {"timeouts":1,"leased":0,"waiting":0}
