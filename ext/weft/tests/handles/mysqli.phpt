--TEST--
A mysqli object of the boot is a connection of its own in each domain, with all that the boot has set on it
--EXTENSIONS--
weft
mysqli
--SKIPIF--
<?php if (!getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_MYSQL'); ?>
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

parse_str(strtr(substr(getenv('WEFT_TEST_MYSQL'), 6), ';', '&'), $to);

final class Named extends mysqli
{
    public string $name = 'boot';
}

$made = new mysqli($to['host'], $to['user'], '', $to['dbname'], (int) $to['port']);
$made->set_charset('latin1');
$made->query("SET SESSION time_zone = '+03:00'");
$made->query("/* who: boot */ -- and why\nset @boot = 'yes'");
$made->multi_query("SET @one = 1; SET @two = 'two'");
while ($made->next_result());
$step = mysqli_init();
mysqli_options($step, MYSQLI_INIT_COMMAND, "SET @init = 'told'");
$step->options(MYSQLI_OPT_INT_AND_FLOAT_NATIVE, 1);
mysqli_real_connect($step, $to['host'], $to['user'], '', null, (int) $to['port']);
$step->set_charset('utf8mb4');
mysqli_select_db($step, $to['dbname']);
$function = mysqli_connect($to['host'], $to['user'], '', $to['dbname'], (int) $to['port']);
$named = new Named($to['host'], $to['user'], '', $to['dbname'], (int) $to['port']);
$closed = mysqli_connect($to['host'], $to['user'], '', $to['dbname'], (int) $to['port']);
$closed->close();
$made->query('create table if not exists weft_handles (id int auto_increment primary key, who text)');
$prepared = $made->prepare('select 1');
$value = static fn (mysqli $to, string $sql): mixed => $to->query($sql)->fetch_row()[0];
$all = [$made, $step, $function, $named];
$ids = array_map(fn ($one) => (int) $value($one, 'select connection_id()'), $all);
Weft\Isolation\snapshot();

in_domains(function (string $me) use ($made, $step, $named, $closed, $prepared, $all, $value, &$ids) {
    foreach ($all as $one) {
        $ids[] = (int) $value($one, 'select connection_id()');
        turn();
    }
    $named->name = $me;
    $made->begin_transaction();
    $statement = $made->prepare('insert into weft_handles (who) values (?)');
    $statement->execute([$me]);
    turn();
    $inserted = $made->insert_id;
    turn();
    $found = mysqli_fetch_row(mysqli_query($made, 'select who from weft_handles where id = ' . $made->insert_id));
    $number = $made->thread_id === (int) $value($made, 'select connection_id()');
    turn();
    try {
        $made->query('nonsense');
    } catch (mysqli_sql_exception) {
    }
    turn();
    $report = [
        'found' => $found,
        'insert_id' => $inserted > 0,
        'thread_id' => $number,
        'errno' => [$made->errno, isset($made->error), $step->errno],
        'charset' => [$made->character_set_name(), $step->character_set_name()],
        'settings' => [$value($made, 'select @@time_zone'), $value($made, 'select @boot'), $value($made, 'select @two')],
        'step' => [$value($step, 'select @init'), $value($step, 'select database()'), $value($step, 'select 1')],
        'subclass' => [$named->name, $value($named, "select '$me'"), $named->affected_rows],
    ];
    foreach (['closed' => fn () => $closed->query('select 1'), 'prepared' => fn () => $prepared->execute(),
        'poll' => function () use ($made) { $r = [$made]; $e = []; mysqli_poll($r, $e, $e, 0); }] as $name => $use) {
        try {
            $use();
        } catch (Throwable $e) {
            $report[$name] = $e::class . ': ' . str_replace(__DIR__, '', $e->getMessage());
        }
    }
    $made->rollback();
    return $report;
});
echo 'connections: ', count(array_unique($ids)), "\n";
$open = static fn (): int => (int) $value($made, 'select count(*) from information_schema.processlist where id in (' . implode(',', array_slice($ids, 4)) . ')');
for ($i = 0; $i < 500 && $open() > 0; $i++) {
    Async\delay(5);
}
echo 'left when the domains are gone: ', $open(), ', rows: ', $value($made, 'select count(*) from weft_handles'), "\n";
$made->query('drop table weft_handles');
echo json_encode([Weft\Isolation\stats()['uncovered'], Weft\Isolation\stats()['refused']]), "\n";
?>
--EXPECT--
a: {"found":["a"],"insert_id":true,"thread_id":true,"errno":[1064,true,0],"charset":["latin1","utf8mb4"],"settings":["+03:00","yes","two"],"step":["told","weft",1],"subclass":["a","a",1],"closed":"Error: mysqli object is already closed","prepared":"Weft\\Isolation\\HandleOfBootError: The mysqli_stmt made during boot at /mysqli.php:28 can't be used in a request: all requests of all workers would share it. Make it in the request that uses it, or let the first use make it (docs/isolation.md, \"What is not isolated\")","poll":"Weft\\Isolation\\HandleOfBootError: The mysqli made during boot at /mysqli.php:11 can't be used in a request: it was passed in an array. Make it in the request that uses it, or let the first use make it (docs/isolation.md, \"What is not isolated\")"}
b: {"found":["b"],"insert_id":true,"thread_id":true,"errno":[1064,true,0],"charset":["latin1","utf8mb4"],"settings":["+03:00","yes","two"],"step":["told","weft",1],"subclass":["b","b",1],"closed":"Error: mysqli object is already closed","prepared":"Weft\\Isolation\\HandleOfBootError: The mysqli_stmt made during boot at /mysqli.php:28 can't be used in a request: all requests of all workers would share it. Make it in the request that uses it, or let the first use make it (docs/isolation.md, \"What is not isolated\")","poll":"Weft\\Isolation\\HandleOfBootError: The mysqli made during boot at /mysqli.php:11 can't be used in a request: it was passed in an array. Make it in the request that uses it, or let the first use make it (docs/isolation.md, \"What is not isolated\")"}
connections: 12
left when the domains are gone: 0, rows: 0
[[],{"mysqli_stmt":1}]
