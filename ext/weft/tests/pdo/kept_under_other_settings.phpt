--TEST--
A kept statement of PostgreSQL is not used where settings read its constants in another way
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=1
--FILE--
<?php
require __DIR__ . '/servers.inc';

[$server] = servers();
$ask = function (PDO $pdo, string $sql): string {
    $statement = $pdo->prepare($sql);
    $statement->execute();
    return (string) $statement->fetchColumn();
};
$cases = [
    ["select date '01/02/2020' - date '2020-01-01'", "set datestyle to 'ISO, DMY'", "set local datestyle to 'ISO, DMY'"],
    ["select extract(epoch from timestamptz '2020-01-01 00:00')::int", "set time zone 'America/New_York'", "set local time zone 'America/New_York'"],
    ["select length('\\\\')", 'set standard_conforming_strings to off', 'set local standard_conforming_strings to off'],
];
foreach ($cases as [$sql, $setting, $local]) {
    echo $sql, "\n";
    at_once(1, function () use ($server, $ask, $sql) {
        echo '  as it is: ', $ask($server->open(), $sql), "\n";
    });
    at_once(1, function () use ($server, $ask, $sql, $setting) {
        $pdo = $server->open();
        $pdo->exec($setting);
        echo '  set: ', $ask($pdo, $sql), "\n";
    });
    at_once(1, function () use ($server, $ask, $sql) {
        echo '  as it is: ', $ask($server->open(), $sql), "\n";
    });
    at_once(1, function () use ($server, $ask, $sql, $local) {
        $pdo = $server->open();
        $pdo->beginTransaction();
        $pdo->exec('savepoint before');
        $pdo->exec($local);
        echo '  set in a transaction: ', $ask($pdo, $sql), "\n";
        $pdo->exec('rollback to before');
        echo '  taken back: ', $ask($pdo, $sql), "\n";
        $pdo->exec($local);
        echo '  set again: ', $ask($pdo, $sql), "\n";
        $pdo->commit();
        echo '  after it: ', $ask($pdo, $sql), "\n";
    });
}
?>
--EXPECT--
select date '01/02/2020' - date '2020-01-01'
  as it is: 1
  set: 31
  as it is: 1
  set in a transaction: 31
  taken back: 1
  set again: 31
  after it: 1
select extract(epoch from timestamptz '2020-01-01 00:00')::int
  as it is: 1577836800
  set: 1577854800
  as it is: 1577836800
  set in a transaction: 1577854800
  taken back: 1577836800
  set again: 1577854800
  after it: 1577836800
select length('\\')
  as it is: 2
  set: 1
  as it is: 2
  set in a transaction: 1
  taken back: 2
  set again: 1
  after it: 2
