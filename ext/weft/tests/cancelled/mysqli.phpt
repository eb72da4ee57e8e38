--TEST--
A cancelled call of mysqli throws its cancellation, and no later query gets its result
--EXTENSIONS--
weft
mysqli
--SKIPIF--
<?php if (!getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_MYSQL'); ?>
--FILE--
<?php
require __DIR__ . '/cancelled.inc';

parse_str(strtr(substr(getenv('WEFT_TEST_MYSQL'), 6), ';', '&'), $to);
$open = fn (string $prefix = '') => new mysqli($prefix . $to['host'], $to['user'], '', $to['dbname'], (int) $to['port']);
$ask = function ($link, $text) {
    $statement = $link->prepare('select ?');
    $statement->bind_param('s', $text);
    $statement->execute();

    return $statement->get_result()->fetch_row()[0];
};
$calls = [
    'query' => fn ($link, $i) => $link->query("select 'cancelled-$i', sleep(0.008)"),
    'several' => function ($link, $i) {
        $link->multi_query("select 'cancelled-$i', sleep(0.004); select 'cancelled-$i', sleep(0.004)");
        do {
            $link->store_result()->free();
        } while ($link->next_result());
    },
    'unbuffered' => function ($link, $i) {
        $result = $link->query("select 'cancelled-$i', seq, repeat('x', 2000), sleep(0.0001) from seq_1_to_60", MYSQLI_USE_RESULT);
        while ($result->fetch_row());
    },
    'unbuffered, by foreach' => function ($link, $i) {
        foreach ($link->query("select 'cancelled-$i', seq, repeat('x', 2000), sleep(0.0001) from seq_1_to_60", MYSQLI_USE_RESULT) as $row);
    },
    'prepared' => function ($link, $i) {
        $statement = $link->prepare("select 'cancelled-$i', ?, sleep(0.006)");
        $statement->bind_param('i', $i);
        $statement->execute();
        $statement->get_result()->fetch_row();
    },
    'cursor' => function ($link, $i) {
        $statement = $link->prepare("select 'cancelled-$i', seq, sleep(0.0001) from seq_1_to_60");
        $statement->attr_set(MYSQLI_STMT_ATTR_CURSOR_TYPE, MYSQLI_CURSOR_TYPE_READ_ONLY);
        $statement->execute();
        while ($statement->fetch());
    },
    'asynchronous' => function ($link, $i) {
        $link->query("select 'cancelled-$i', sleep(0.008)", MYSQLI_ASYNC);
        $read = $error = $reject = [$link];
        mysqli_poll($read, $error, $reject, 1);
        $link->reap_async_query();
    },
    'transaction' => fn ($link, $i) => $link->begin_transaction() && $link->query("select 'cancelled-$i', sleep(0.006)") && $link->commit(),
    'ping and change user' => function ($link, $i) use ($to) {
        for ($n = 0; $n < 12; $n++) {
            $link->stat();
            $link->change_user($to['user'], '', $to['dbname']);
        }
    },
    'connect' => fn ($link, $i) => $open()->query('do sleep(0.003)'),
    'persistent' => fn ($link, $i) => $open('p:')->query("select 'cancelled-$i', sleep(0.004)"),
];
cancel_at_random($calls, $open, $ask);

mysqli_report(MYSQLI_REPORT_OFF);
cancel_at_random(['query, errors not reported' => $calls['query']], $open, $ask);
mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
$wrong = 0;
$kept = [];
for ($i = 0; $i < 39; $i++) {
    $kept[] = $open('p:');
    $wrong += $ask(end($kept), "next-$i") === "next-$i" ? 0 : 1;
}
echo "persistent ones later: $wrong wrong\n";
?>
--EXPECT--
query: some cancelled, nothing else thrown, 0 wrong answers
several: some cancelled, nothing else thrown, 0 wrong answers
unbuffered: some cancelled, nothing else thrown, 0 wrong answers
unbuffered, by foreach: some cancelled, nothing else thrown, 0 wrong answers
prepared: some cancelled, nothing else thrown, 0 wrong answers
cursor: some cancelled, nothing else thrown, 0 wrong answers
asynchronous: some cancelled, nothing else thrown, 0 wrong answers
transaction: some cancelled, nothing else thrown, 0 wrong answers
ping and change user: some cancelled, nothing else thrown, 0 wrong answers
connect: some cancelled, nothing else thrown, 0 wrong answers
persistent: some cancelled, nothing else thrown, 0 wrong answers
query, errors not reported: some cancelled, nothing else thrown, 0 wrong answers
persistent ones later: 0 wrong
