--TEST--
A connection opened in boot is never used by two: each domain gets one of its own, closed at its end
--EXTENSIONS--
weft
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip WEFT_TEST_PGSQL gives no DSN'); ?>
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

final class MyPdo extends PDO
{
    public function pid(): int
    {
        return (int) $this->query('select pg_backend_pid()')->fetchColumn();
    }
}

$name = 'weft-' . bin2hex(random_bytes(4));
$open = fn (string $class = PDO::class): PDO => new $class(getenv('WEFT_TEST_PGSQL') . ";application_name=$name", null, null, [PDO::ATTR_PERSISTENT => false, PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_NUM]);
$observer = new PDO(getenv('WEFT_TEST_PGSQL'));
$others = function () use ($observer, $name): int {
    for ($i = 0; $i < 100; $i++) {
        $count = $observer->query("select count(*) from pg_stat_activity where application_name = '$name'")->fetchColumn();
        if ($count == 1) {
            break;
        }
        Async\delay(20);
    }
    return (int) $count;
};
$pdo = $open(MyPdo::class);
$pdo->setAttribute(PDO::ATTR_CASE, PDO::CASE_UPPER);
$pdo->exec("set search_path to pg_catalog, public");
$mine = $pdo->pid();
Weft\Isolation\snapshot();

$pids = [];
in_domains(function (string $me) use ($pdo, $mine, &$pids) {
    $pdo->beginTransaction();
    $statement = $pdo->prepare('select pg_backend_pid() as p, pg_sleep(0.05), ?::text as me');
    $statement->execute([$me]);
    $row = $statement->fetch(PDO::FETCH_ASSOC);
    $pids[] = $row['P'];
    turn();
    $again = $pdo->pid();
    $pdo->commit();
    return [
        'same connection' => $again === $row['P'],
        'another one than the base' => $again !== $mine,
        'me' => $row['ME'],
        'fetch mode' => count($pdo->query('select 1, 2')->fetch()),
        'search path' => $pdo->query('show search_path')->fetchColumn(),
        'in transaction' => $pdo->inTransaction(),
    ];
});
echo 'two connections: ', count(array_unique($pids)), "\n";
echo 'the base keeps its own: ', $pdo->pid() === $mine ? 'yes' : 'no', "\n";
echo 'connections left: ', $others(), "\n";

// opened in a domain, kept in a cycle
final class Holder { public static ?array $held = null; }
in_domains(function (string $me) use ($open) {
    $holder = new stdClass();
    $holder->self = $holder;
    $holder->pdo = $open();
    $holder->statement = $holder->pdo->prepare('select 1');
    Holder::$held = [$holder];
    turn();
    return $holder->pdo->query('select 1')->fetch();
});
echo 'connections left: ', $others(), "\n";
?>
--EXPECT--
a: {"same connection":true,"another one than the base":true,"me":"a","fetch mode":2,"search path":"pg_catalog, public","in transaction":false}
b: {"same connection":true,"another one than the base":true,"me":"b","fetch mode":2,"search path":"pg_catalog, public","in transaction":false}
two connections: 2
the base keeps its own: yes
connections left: 1
a: [1]
b: [1]
connections left: 1
