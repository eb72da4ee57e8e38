--TEST--
One coroutine at a time uses a connection of mysqli, its statements and unbuffered results included
--EXTENSIONS--
weft
mysqli
--SKIPIF--
<?php if (!getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_MYSQL'); ?>
--FILE--
<?php
require __DIR__ . '/calls_take_turns.inc';

parse_str(strtr(substr(getenv('WEFT_TEST_MYSQL'), 6), ';', '&'), $to);
$open = fn () => new mysqli($to['host'], $to['user'], '', $to['dbname'], (int) $to['port']);

$link = $open();
calls_take_turns('query', fn ($i) => $link->query("select $i, sleep(0.02)")->fetch_row()[0], fn () => $link->close());
$link = $open();
calls_take_turns('procedural', fn ($i) => mysqli_fetch_row(mysqli_query($link, "select $i, sleep(0.02)"))[0], fn () => mysqli_close($link));
$link = $open();
$statements = array_map(fn ($i) => $link->prepare("select $i, sleep(0.02)"), [0, 1, 2, 3, 4]);
$execute = function ($i) use ($statements) {
    $statements[$i]->execute();

    return $statements[$i]->affected_rows;
};
foreach ($statements as $statement) {
    $statement->attr_set(MYSQLI_STMT_ATTR_CURSOR_TYPE, MYSQLI_CURSOR_TYPE_READ_ONLY);
}
calls_take_turns('statements', $execute, fn () => $link->close());
$link = $open();
$statement = $link->prepare('select ?, sleep(0.02)');
calls_take_turns('a statement is closed', fn ($i) => $i < 4 ? 'not asked' : json_encode($statement->execute([$i])), fn () => $statement->close());
?>
--EXPECT--
query: 1, 2, 3
query: 4, closed
procedural: 1, 2, 3
procedural: 4, closed
statements: -1, -1, -1
statements: -1, closed
a statement is closed: not asked, not asked, not asked
a statement is closed: true, closed
