--TEST--
A coroutine that ends in a transaction after its PDO object is gone, a statement that outlives it, an exception on its way while the pool closes: nothing stays open
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

Weft\Isolation\snapshot();
on_each_server(function (DatabaseServer $server) {
    $observer = $server->observer();
    $observer->exec('drop table if exists weft_ends');
    $observer->exec('create table weft_ends (n int)' . ($server->isMySql() ? ' engine=innodb' : ''));
    $left = fn () => $observer->query('select count(*) from weft_ends')->fetchColumn();
    $begin = [
        'beginTransaction' => fn (PDO $pdo) => $pdo->beginTransaction(),
        'BEGIN' => fn (PDO $pdo) => $pdo->exec('begin'),
        'START TRANSACTION' => fn (PDO $pdo) => $pdo->exec('start transaction'),
    ] + ($server->isMySql() ? ['SET autocommit=0' => fn (PDO $pdo) => $pdo->exec('set autocommit=0')] : []);
    $whole = fn () => json_encode(array_unique(at_once(32, function () use ($server) {
        $pdo = $server->open();
        return [$pdo->inTransaction(), (int) $pdo->query($server->isMySql() ? 'select @@autocommit' : 'select 1')->fetchColumn()];
    }), SORT_REGULAR));
    foreach ($begin as $how => $start) {
        foreach ([1, 32] as $count) {
            $pids = at_once($count, function (int $i) use ($server, $start) {
                $pdo = $server->open();
                $start($pdo);
                $pids = [];
                for ($n = 0; $n < 3; $n++) {
                    $pdo->exec("insert into weft_ends values ($i)");
                    $pids[] = $pdo->query($server->pid)->fetchColumn();
                    Async\delay(1);
                }
                return count(array_unique($pids));
            });
            echo "$how, $count: connections each ", implode(', ', array_unique($pids)), ', rows left ', $left(), "\n";
            // the object goes first, and the coroutine that began it, not its request
            $seen = at_once($count, function (int $i) use ($server, $start) {
                Async\await(Async\spawn(function () use ($server, $start, $i) {
                    $pdo = $server->open();
                    $start($pdo);
                    $statement = $pdo->prepare('insert into weft_ends values (?)');
                    $statement->execute([$i]);
                    unset($pdo);
                    $i % 2 && Async\delay(1);
                    unset($statement);
                    Async\delay(1);
                }));
                Async\delay(1);
                return $server->open()->query('select count(*) from weft_ends')->fetchColumn();
            });
            echo "  without its object: seen by others ", implode(', ', array_unique($seen)), ', rows left ', $left(), ', others ', $whole(), "\n";
            $outlived = at_once($count, function (int $i) use ($server) {
                $pdo = $server->open();
                $statement = $pdo->prepare($server->isMySql() ? 'select ?' : 'select ?::int');
                $open = $pdo->query("select $i union all select $i order by 1");
                unset($pdo);
                Async\delay(1);
                $rows = $open->fetchAll(PDO::FETCH_COLUMN);
                $statement->execute([$i]);
                return array_map('intval', [...$rows, $statement->fetchColumn()]) === [$i, $i, $i];
            });
            echo '  statements without it: ', json_encode(array_unique($outlived)), "\n";
            // an exception is on its way through all that while the idle ones close
            $thrown = at_once($count, function (int $i) use ($server, $start) {
                return caught(function () use ($server, $start, $i) {
                    $pdo = $server->open();
                    $start($pdo);
                    try {
                        $pdo->exec("insert into weft_ends values ($i)");
                        $pdo->query('select nothing_like_it');
                    } finally {
                        Weft\Pool::closeIdle();
                        unset($pdo);
                    }
                });
            });
            $thrown = array_unique(array_map(fn (string $what) => (bool) preg_match('/PDOException.*nothing_like_it/s', $what), $thrown));
            echo '  an exception: ', json_encode($thrown), ', rows left ', $left(), ', others ', $whole(), "\n";
        }
    }
    $observer->exec('drop table weft_ends');
    foreach (Weft\Pool::stats() as $pool) {
        if ($pool['leased'] || $pool['waiting']) {
            echo 'LEFT ', json_encode($pool), "\n";
        }
    }
});
// and at the script's own end
$pdo = servers()[0]->open();
$pdo->beginTransaction();
throw new LogicException('the last word');
?>
--EXPECTF--
-- pgsql
beginTransaction, 1: connections each 1, rows left 0
  without its object: seen by others 0, rows left 0, others [[false,1]]
  statements without it: [true]
  an exception: [true], rows left 0, others [[false,1]]
beginTransaction, 32: connections each 1, rows left 0
  without its object: seen by others 0, rows left 0, others [[false,1]]
  statements without it: [true]
  an exception: [true], rows left 0, others [[false,1]]
BEGIN, 1: connections each 1, rows left 0
  without its object: seen by others 0, rows left 0, others [[false,1]]
  statements without it: [true]
  an exception: [true], rows left 0, others [[false,1]]
BEGIN, 32: connections each 1, rows left 0
  without its object: seen by others 0, rows left 0, others [[false,1]]
  statements without it: [true]
  an exception: [true], rows left 0, others [[false,1]]
START TRANSACTION, 1: connections each 1, rows left 0
  without its object: seen by others 0, rows left 0, others [[false,1]]
  statements without it: [true]
  an exception: [true], rows left 0, others [[false,1]]
START TRANSACTION, 32: connections each 1, rows left 0
  without its object: seen by others 0, rows left 0, others [[false,1]]
  statements without it: [true]
  an exception: [true], rows left 0, others [[false,1]]
-- mysql
beginTransaction, 1: connections each 1, rows left 0
  without its object: seen by others 0, rows left 0, others [[false,1]]
  statements without it: [true]
  an exception: [true], rows left 0, others [[false,1]]
beginTransaction, 32: connections each 1, rows left 0
  without its object: seen by others 0, rows left 0, others [[false,1]]
  statements without it: [true]
  an exception: [true], rows left 0, others [[false,1]]
BEGIN, 1: connections each 1, rows left 0
  without its object: seen by others 0, rows left 0, others [[false,1]]
  statements without it: [true]
  an exception: [true], rows left 0, others [[false,1]]
BEGIN, 32: connections each 1, rows left 0
  without its object: seen by others 0, rows left 0, others [[false,1]]
  statements without it: [true]
  an exception: [true], rows left 0, others [[false,1]]
START TRANSACTION, 1: connections each 1, rows left 0
  without its object: seen by others 0, rows left 0, others [[false,1]]
  statements without it: [true]
  an exception: [true], rows left 0, others [[false,1]]
START TRANSACTION, 32: connections each 1, rows left 0
  without its object: seen by others 0, rows left 0, others [[false,1]]
  statements without it: [true]
  an exception: [true], rows left 0, others [[false,1]]
SET autocommit=0, 1: connections each 1, rows left 0
  without its object: seen by others 0, rows left 0, others [[false,1]]
  statements without it: [true]
  an exception: [true], rows left 0, others [[false,1]]
SET autocommit=0, 32: connections each 1, rows left 0
  without its object: seen by others 0, rows left 0, others [[false,1]]
  statements without it: [true]
  an exception: [true], rows left 0, others [[false,1]]

Fatal error: Uncaught LogicException: the last word in %s
Stack trace:
#0 {main}
  thrown in %s on line %d
