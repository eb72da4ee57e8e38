--TEST--
Functions, aggregates and collations that the boot has made on an SQLite connection are there in each request
--EXTENSIONS--
weft
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/servers.inc';

error_reporting(E_ALL & ~E_DEPRECATED);
$prefix = 'the boot';
$file = tempnam(sys_get_temp_dir(), 'weft');
$pdos = [new PDO('sqlite::memory:'), new PDO("sqlite:$file")];
foreach ($pdos as $pdo) {
    $pdo->exec("create table if not exists t (name text); insert into t values ('a'), ('b')");
    $pdo->sqliteCreateFunction('who', fn (): string => 'replaced');
    $pdo->sqliteCreateFunction('who', function () use (&$prefix): string {
        static $calls = 0;

        return "$prefix, call " . ++$calls;
    });
    $pdo->sqliteCreateAggregate('joined', fn (?string $all, int $row, string $name): string => $all . $name, fn (?string $all): string => $all ?? 'none', 1);
    $make = $pdo->sqliteCreateCollation(...);
    $make('backwards', fn (string $a, string $b): int => $b <=> $a);
    unset($make);
}
$said = function (PDO $pdo): string {
    return implode('; ', $pdo->query("select who(), (select joined(name) from t), (select name from t order by name collate backwards)")->fetch(PDO::FETCH_NUM));
};
set_error_handler(function (int $level, string $message): bool {
    echo "$message\n";

    return true;
});
error_reporting(E_ALL);
Weft\Isolation\snapshot();
foreach ($pdos as $pdo) {
    foreach (at_once(3, function (int $i) use ($pdo, $said, &$prefix): string {
        $prefix = "request $i";
        Async\delay(1);

        return $said($pdo);
    }) as $one) {
        echo "$one\n";
    }
    echo $said($pdo), "\n";
}
at_once(1, function () use ($pdos): void {
    $pdos[1]->query('select who()');
    set_error_handler(fn (): bool => true);
    $pdos[1]->sqliteCreateFunction('of_a_request', fn (): int => 1);
    echo $pdos[1]->query('select of_a_request()')->fetchColumn(), "\n";
});
at_once(1, function () use ($pdos): void {
    echo caught(fn () => $pdos[1]->query('select of_a_request()')), "\n";
});
unset($pdos, $pdo);
unlink($file);
?>
--EXPECT--
request 0, call 1; ab; b
request 1, call 1; ab; b
request 2, call 1; ab; b
the boot, call 1; ab; b
request 0, call 1; ab; b
request 1, call 1; ab; b
request 2, call 1; ab; b
the boot, call 1; ab; b
1
PDOException: SQLSTATE[HY000]: General error: 1 no such function: of_a_request
