--TEST--
A database in memory that the boot has filled is in each domain as the boot has left it, and the domain's own from then on
--EXTENSIONS--
weft
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

$pdo = new PDO('sqlite::memory:');
$pdo->exec('create table settings (name text primary key, value text)');
$pdo->exec("insert into settings values ('of', 'boot')");
$empty = new PDO('sqlite::memory:');
Weft\Isolation\snapshot();
$all = fn (PDO $pdo) => $pdo->query('select name, value from settings order by name')->fetchAll(PDO::FETCH_KEY_PAIR);
in_domains(function (string $me) use ($pdo, $empty, $all) {
    $before = $all($pdo);
    $pdo->exec("insert into settings values ('$me', '$me')");
    turn();
    $pdo->exec("update settings set value = value || '$me'");
    $empty->exec('create table own as select 1 as n');
    turn();
    return [$before, $all($pdo), $empty->query('select n from own')->fetchColumn()];
});
in_domains(fn () => $all($pdo), 'later');
echo json_encode($all($pdo)), "\n";
?>
--EXPECT--
a: [{"of":"boot"},{"a":"aa","of":"boota"},1]
b: [{"of":"boot"},{"b":"bb","of":"bootb"},1]
later: {"of":"boot"}
{"of":"boot"}
