--TEST--
Attributes hold on every connection, in the constructor and set later on an idle object, also when several coroutines use it at once
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=8
--FILE--
<?php
require __DIR__ . '/servers.inc';

use function Async\await;
use function Async\spawn;

/** What an attribute does, asked on a connection. */
$kinds = [
    'silent' => [PDO::ATTR_ERRMODE, PDO::ERRMODE_SILENT, fn (PDO $pdo) => preg_replace('/:.*/s', '', caught(fn () => $pdo->query('select nothing_like_it')))],
    'case' => [PDO::ATTR_CASE, PDO::CASE_UPPER, fn (PDO $pdo) => key($pdo->query('select 1 as Name')->fetch(PDO::FETCH_ASSOC))],
    'fetch mode' => [PDO::ATTR_DEFAULT_FETCH_MODE, PDO::FETCH_NUM, fn (PDO $pdo) => $pdo->query('select 1 as n')->fetch()],
    'strings' => [PDO::ATTR_STRINGIFY_FETCHES, true, fn (PDO $pdo) => $pdo->query('select 1 as n')->fetchColumn()],
    'nulls' => [PDO::ATTR_ORACLE_NULLS, PDO::NULL_TO_STRING, fn (PDO $pdo) => $pdo->query('select null as n')->fetchColumn()],
    // an emulated one says so before it is executed, since PDO reads it
    'emulated' => [PDO::ATTR_EMULATE_PREPARES, true, function (PDO $pdo) {
        $statement = $pdo->prepare('select ? as n');
        $statement->execute(['x']);
        ob_start();
        $statement->debugDumpParams();
        return str_contains((string) ob_get_clean(), 'Sent SQL');
    }],
    'class' => [PDO::ATTR_STATEMENT_CLASS, [Rows::class], fn (PDO $pdo) => $pdo->query('select 1')::class],
];
class Rows extends PDOStatement {}
$mysql = [
    'unbuffered' => [PDO::MYSQL_ATTR_USE_BUFFERED_QUERY, false, fn (PDO $pdo) => $pdo->query('select 1 union select 2')->rowCount()],
];
/** Only the constructor takes them. */
$constructed = [
    'mysql' => [
        'found rows' => [PDO::MYSQL_ATTR_FOUND_ROWS, true, fn (PDO $pdo) => $pdo->exec('update weft_attributes set n = 1')],
        'init command' => [PDO::MYSQL_ATTR_INIT_COMMAND, "set lc_time_names = 'de_DE'", fn (PDO $pdo) => $pdo->query('select @@lc_time_names')->fetchColumn()],
        'several statements' => [PDO::MYSQL_ATTR_MULTI_STATEMENTS, false, fn (PDO $pdo) => str_contains(caught(fn () => $pdo->exec('select 1; select 2')), 'syntax')],
    ],
    'pgsql' => [
        'no prepares' => [PDO::PGSQL_ATTR_DISABLE_PREPARES, true, function (PDO $pdo) {
            $pdo->prepare('select 1')->execute();
            return $pdo->query('select count(*) > 0 from pg_prepared_statements')->fetchColumn();
        }],
    ],
];
Weft\Isolation\snapshot();
on_each_server(function (DatabaseServer $server) use ($kinds, $mysql, $constructed) {
    $observer = $server->observer();
    $observer->exec('drop table if exists weft_attributes');
    $observer->exec('create table weft_attributes (n int)');
    $observer->exec('insert into weft_attributes values (1)');
    $later = $kinds + ($server->isMySql() ? $mysql : []);
    foreach ($later + $constructed[$server->name] as $name => [$attribute, $value, $ask]) {
        $ways = ['constructor' => fn () => $server->open([$attribute => $value])];
        if (isset($later[$name])) {
            $ways['set later'] = function () use ($server, $attribute, $value) {
                $pdo = $server->open();
                $pdo->setAttribute($attribute, $value);
                return $pdo;
            };
        }
        $plain = at_once(1, fn () => json_encode($ask($server->open())))[0];
        $answers = [];
        foreach ($ways as $open) {
            foreach ([1, 32] as $count) {
                // one object, so many coroutines: a connection for each, as far as there are
                array_push($answers, ...at_once(1, function () use ($open, $count, $ask, $server) {
                    $pdo = $open();
                    $children = [];
                    for ($i = 0; $i < $count; $i++) {
                        $children[] = spawn(function () use ($pdo, $ask, $server) {
                            $pdo->query($server->sleep(0.001))->fetchAll();
                            return json_encode($ask($pdo));
                        });
                    }
                    return array_unique(array_map(fn ($child) => await($child), $children));
                })[0]);
                // and each with its own object
                array_push($answers, ...array_unique(at_once($count, function () use ($open, $ask) {
                    $pdo = $open();
                    Async\delay(1);
                    return json_encode($ask($pdo));
                })));
            }
        }
        // who has not set it does not see it, though he may get the same connection
        $others = array_unique(at_once(32, fn () => json_encode($ask($server->open()))));
        echo $name, ': ', implode(' | ', array_unique($answers)), $others === [$plain] ? '' : ' OTHERS ' . implode(' | ', $others), ', without ', $plain, "\n";
    }
    $observer->exec('drop table weft_attributes');
});
?>
--EXPECT--
-- pgsql
silent: "nothing", without "PDOException"
case: "NAME", without "name"
fetch mode: [1], without {"n":1,"0":1}
strings: "1", without 1
nulls: "", without null
emulated: true, without false
class: "Rows", without "PDOStatement"
no prepares: false, without true
-- mysql
silent: "nothing", without "PDOException"
case: "NAME", without "Name"
fetch mode: [1], without {"n":1,"0":1}
strings: "1", without 1
nulls: "", without null
emulated: true, without false
class: "Rows", without "PDOStatement"
unbuffered: 0, without 2
found rows: 1, without 0
init command: "de_DE", without "en_US"
several statements: true, without false
