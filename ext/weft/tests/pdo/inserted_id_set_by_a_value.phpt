--TEST--
LAST_INSERT_ID(value) sets what LAST_INSERT_ID() says for its own request, and for no other (pdo_mysql)
--EXTENSIONS--
weft
pdo
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=4
--FILE--
<?php
require __DIR__ . '/servers.inc';

$server = servers()[1];
$server->observer()->exec('create or replace table weft_ticket (id int primary key, n int)');
for ($i = 0; $i < 16; $i++) {
    $server->observer()->exec("insert into weft_ticket values ($i, 1000 + $i)");
}
$forms = [
    'select' => fn (PDO $pdo, int $id) => $pdo->query("select last_insert_id($id)")->fetchAll(),
    'select, with space and comment' => fn (PDO $pdo, int $id) => $pdo->query("select last_insert_id /* = */ ( $id )")->fetchAll(),
    'select, quoted' => fn (PDO $pdo, int $id) => $pdo->query("select `last_insert_id`($id)")->fetchAll(),
    'select, prepared' => function (PDO $pdo, int $id) {
        $statement = $pdo->prepare('select last_insert_id(?)');
        $statement->execute([$id]);
        $statement->fetchAll();
    },
    'do' => fn (PDO $pdo, int $id) => $pdo->exec("do last_insert_id($id)"),
    'update' => fn (PDO $pdo, int $id) => $pdo->exec("update weft_ticket set n = last_insert_id($id) where id = " . $id % 1000),
    'update to zero' => fn (PDO $pdo, int $id) => $pdo->exec('update weft_ticket set n = last_insert_id(0) where id = ' . $id % 1000),
    'insert on duplicate key' => fn (PDO $pdo, int $id) => $pdo->exec('insert into weft_ticket values (' . $id % 1000 . ", 1) on duplicate key update n = last_insert_id($id)"),
    'where' => fn (PDO $pdo, int $id) => $pdo->query("select n from weft_ticket where id = 0 and last_insert_id($id)")->fetchAll(),
    'several' => function (PDO $pdo, int $id) {
        $several = $pdo->query("select last_insert_id($id); select 1");
        do {
            $several->fetchAll();
        } while ($several->nextRowset());
    },
    'set' => fn (PDO $pdo, int $id) => $pdo->exec("set last_insert_id = $id"),
];
foreach ($forms as $name => $set) {
    $zero = $name === 'update to zero';
    $several = $name === 'several';
    $wrong = array_filter(at_once(16, function (int $i) use ($server, $set, $zero, $several) {
        $pdo = $server->open([PDO::ATTR_EMULATE_PREPARES => $several || $i % 2 === 0]);
        if ($zero) {
            $pdo->query('select last_insert_id(' . (5000 + $i) . ')')->fetchAll();
        }
        $set($pdo, 2000 + $i);
        Async\delay(2 + $i % 3);
        $first = (int) $pdo->query('select last_insert_id()')->fetchColumn();
        Async\delay(1);

        return [$first, (int) $pdo->query('select @@last_insert_id')->fetchColumn()] !== array_fill(0, 2, $zero ? 0 : 2000 + $i);
    }));
    $strangers = array_filter(at_once(16, fn () => (int) $server->open()->query('select last_insert_id()')->fetchColumn()));
    echo $name, ': ', count($wrong), ' of 16 wrong, ', count($strangers), " of 16 strangers see it\n";
}

// whoever only asks keeps no connection
echo 'connections of 16 that ask: ', count(array_unique(at_once(16, function () use ($server) {
    $pdo = $server->open();
    $pdo->query('select last_insert_id( )')->fetchAll();

    return $pdo->query($server->pid)->fetchColumn();
}))) <= 4 ? 'few' : 'many', "\n";

// a connection that dies takes the value with it, and the application hears of it
echo at_once(1, function () use ($server) {
    $pdo = $server->open();
    $pid = $pdo->query('select connection_id(), last_insert_id(77)')->fetchColumn();
    $server->observer()->exec("kill $pid");
    Async\delay(20);

    return caught(fn () => $pdo->query('select last_insert_id()')->fetchColumn());
})[0], "\n";
$server->observer()->exec('drop table weft_ticket');
?>
--EXPECT--
select: 0 of 16 wrong, 0 of 16 strangers see it
select, with space and comment: 0 of 16 wrong, 0 of 16 strangers see it
select, quoted: 0 of 16 wrong, 0 of 16 strangers see it
select, prepared: 0 of 16 wrong, 0 of 16 strangers see it
do: 0 of 16 wrong, 0 of 16 strangers see it
update: 0 of 16 wrong, 0 of 16 strangers see it
update to zero: 0 of 16 wrong, 0 of 16 strangers see it
insert on duplicate key: 0 of 16 wrong, 0 of 16 strangers see it
where: 0 of 16 wrong, 0 of 16 strangers see it
several: 0 of 16 wrong, 0 of 16 strangers see it
set: 0 of 16 wrong, 0 of 16 strangers see it
connections of 16 that ask: few
PDOException: SQLSTATE[HY000]: General error: 2006 MySQL server has gone away
