--TEST--
Without a snapshot values are shared: a PDO object that one request has opened works in the next
--EXTENSIONS--
weft
pdo
pdo_sqlite
--FILE--
<?php
final class Kept { public static ?PDO $pdo = null; }

foreach (['first', 'second', 'third'] as $request) {
    Async\await(Async\spawn(fn () => Weft\Isolation\run(function () use ($request) {
        Kept::$pdo ??= new PDO('sqlite::memory:');
        echo Kept::$pdo->query("select '$request'")->fetchColumn(), "\n";
    })));
}
?>
--EXPECT--
first
second
third
