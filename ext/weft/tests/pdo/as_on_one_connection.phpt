--TEST--
lastInsertId, errors, COPY, large objects, cursors, unbuffered results and several results are as on a connection of one's own
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=3
weft.pdo_acquire_timeout=60
--FILE--
<?php
require __DIR__ . '/servers.inc';

Weft\Isolation\snapshot();
$pgsql = [
    'copy' => function (PDO $pdo, int $i) {
        $pdo->exec('create temporary table weft_copy (n int, t text)');
        $pdo->pgsqlCopyFromArray('weft_copy', ["$i\tone", "$i\ttwo"]);
        Async\delay(1);
        return $pdo->pgsqlCopyToArray('weft_copy') === ["$i\tone\n", "$i\ttwo\n"];
    },
    'large object' => function (PDO $pdo, int $i) {
        $pdo->beginTransaction();
        $oid = $pdo->pgsqlLOBCreate();
        $stream = $pdo->pgsqlLOBOpen($oid, 'w');
        fwrite($stream, "large $i");
        fclose($stream);
        Async\delay(1);
        $read = stream_get_contents($pdo->pgsqlLOBOpen($oid, 'r'));
        $pdo->pgsqlLOBUnlink($oid);
        $pdo->commit();
        return $read === "large $i";
    },
    'cursor' => function (PDO $pdo, int $i) {
        $statement = $pdo->prepare("select n from generate_series($i, $i + 5) n", [PDO::ATTR_CURSOR => PDO::CURSOR_SCROLL]);
        $statement->execute();
        Async\delay(1);
        $last = $statement->fetch(PDO::FETCH_NUM, PDO::FETCH_ORI_LAST)[0];
        Async\delay(1);
        $first = $statement->fetch(PDO::FETCH_NUM, PDO::FETCH_ORI_FIRST)[0];
        return [$last - $first, $first === $i];
    },
    'notify' => function (PDO $pdo, int $i) {
        $pdo->exec("listen weft_$i");
        $pdo->exec("notify weft_$i, 'hello $i'");
        return $pdo->pgsqlGetNotify(PDO::FETCH_NUM)[2] ?? null;
    },
    'meta' => fn (PDO $pdo) => $pdo->query('select 1::int2 as small')->getColumnMeta(0)['native_type'],
];
$mysql = [
    'unbuffered' => function (PDO $pdo, int $i) {
        $pdo->setAttribute(PDO::MYSQL_ATTR_USE_BUFFERED_QUERY, false);
        $statement = $pdo->query("select $i union all select $i + 1 union all select $i + 2");
        $seen = [];
        while (($n = $statement->fetchColumn()) !== false) {
            $seen[] = $n - $i;
            Async\delay(1);
        }
        return [$seen, (int) $pdo->query("select $i")->fetchColumn() === $i];
    },
    'several results' => function (PDO $pdo, int $i) {
        $pdo->setAttribute(PDO::ATTR_EMULATE_PREPARES, true);
        $statement = $pdo->query("select $i; select $i + 1");
        $first = $statement->fetchColumn();
        Async\delay(1);
        $more = $statement->nextRowset();
        $second = $statement->fetchColumn();
        return [$first - $i, $more, $second - $i, $statement->nextRowset()];
    },
    'left unread' => function (PDO $pdo, int $i) {
        $pdo->exec('select 1');
        return 'unread';
    },
];
on_each_server(function (DatabaseServer $server) use ($pgsql, $mysql) {
    $observer = $server->observer();
    $observer->exec('drop table if exists weft_ids');
    $observer->exec(
        $server->isMySql() ? 'create table weft_ids (id int auto_increment primary key, who int unique)' : 'create table weft_ids (id serial primary key, who int unique)',
    );
    $all = [
        'last id' => function (PDO $pdo, int $i) use ($server) {
            $pdo->prepare('insert into weft_ids (who) values (?)')->execute([$i]);
            Async\delay(5);
            $id = $pdo->lastInsertId();
            Async\delay(5);
            $again = $server->isMySql() ? $pdo->query('select last_insert_id()')->fetchColumn() : $pdo->lastInsertId('weft_ids_id_seq');
            $own = $pdo->prepare('select id from weft_ids where who = ?');
            $own->execute([$i]);
            $truth = (string) $own->fetchColumn();
            return [$truth === $id, $truth === (string) $again];
        },
        'none of its own' => fn (PDO $pdo) => substr($server->isMySql() ? $pdo->lastInsertId() : caught(fn () => $pdo->lastInsertId()), 0, 29),
        'error' => function (PDO $pdo, int $i) {
            $bad = "select nothing_$i";
            try {
                $pdo->query($bad);
            } catch (PDOException $e) {
                Async\delay(1);
                return str_contains($pdo->errorInfo()[2], "nothing_$i") && str_contains($e->errorInfo[2], "nothing_$i") && $pdo->errorCode() === $e->getCode();
            }
        },
        'silent' => function (PDO $pdo, int $i) use ($server) {
            $pdo->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_SILENT);
            $statement = $pdo->prepare('insert into weft_ids (who) values (?)');
            $done = $statement && $statement->execute([0]);
            Async\delay(1);
            return [$done, (bool) preg_match('/duplicate/i', $statement->errorInfo()[2])];
        },
        'outlives' => function (PDO $pdo, int $i) {
            $statement = $pdo->prepare("select $i");
            unset($pdo);
            Async\delay(1);
            $statement->execute();
            return (int) $statement->fetchColumn() === $i;
        },
        'big int' => fn (PDO $pdo, int $i) => $pdo->query("select cast($i as char(3)) as c, $i as n")->fetch(PDO::FETCH_ASSOC)['n'] === $i,
    ] + ($server->isMySql() ? $mysql : $pgsql);
    foreach ($all as $what => $do) {
        $alone = at_once(1, fn () => json_encode($do($server->open(), 100)));
        $together = array_values(array_unique(at_once(32, fn (int $i) => json_encode($do($server->open(), $i)))));
        if ($what === 'notify') {
            $together = count($together) === 32 ? $alone : $together;
        }
        echo $what, ': ', $alone[0], $together === $alone ? '' : ' but together ' . implode(' ', $together), "\n";
    }
    $observer->exec('drop table weft_ids');
});
?>
--EXPECT--
-- pgsql
last id: [true,true]
none of its own: "PDOException: SQLSTATE[55000]"
error: true
silent: [false,true]
outlives: true
big int: true
copy: true
large object: true
cursor: [5,true]
notify: "hello 100"
meta: "int2"
-- mysql
last id: [true,true]
none of its own: "0"
error: true
silent: [false,true]
outlives: true
big int: true
unbuffered: [[0,1,2],true]
several results: [0,true,1,false]
left unread: "unread"
