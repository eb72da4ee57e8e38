--TEST--
A worker closes connections that nobody uses for weft.pdo_idle_time, but weft.pdo_pool_min of them stay
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
pcntl
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_idle_time=1
weft.pdo_pool_min=1
--FILE--
<?php
require __DIR__ . '/servers.inc';

// only a process that was forked, as a worker is, cleans up by the clock
if (pcntl_fork() > 0) {
    pcntl_wait($status);
    echo 'exit status ', pcntl_wexitstatus($status), "\n";
    return;
}
Weft\Isolation\snapshot();
on_each_server(function (DatabaseServer $server) {
    $pids = at_once(3, function () use ($server) {
        $pdo = $server->open();
        $pdo->beginTransaction();
        $pdo->query($server->sleep(0.2))->fetchAll();
        return (int) $pdo->query($server->pid)->fetchColumn();
    });
    $size = fn () => array_sum(array_column(array_filter(Weft\Pool::stats(), fn (string $name) => str_starts_with($name, $server->name), ARRAY_FILTER_USE_KEY), 'size'));
    echo count(array_unique($pids)), ' connections, size ', $size(), "\n";
    for ($i = 0; $size() > 1 && $i < 400; $i++) {
        Async\delay(50);
    }
    // as long again: the last one stays
    Async\delay(1600);
    echo 'size ', $size(), "\n";
    [$pid] = at_once(1, fn () => (int) $server->open()->query($server->pid)->fetchColumn());
    echo 'one of the three: ', json_encode(in_array($pid, $pids, true)), "\n";
});
?>
--EXPECT--
-- pgsql
3 connections, size 3
size 1
one of the three: true
-- mysql
3 connections, size 3
size 1
one of the three: true
exit status 0
