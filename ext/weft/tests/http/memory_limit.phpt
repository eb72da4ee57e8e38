--TEST--
memory_limit is each request's own: one among many asks for too much and fails, the others answer
--EXTENSIONS--
weft
--SKIPIF--
<?php if (getenv('USE_ZEND_ALLOC') === '0') die('skip it needs a memory limit'); ?>
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server(<<<'PHP'
    $held = [];
    switch ($_GET['do']) {
        case 'holds':
            $held[] = str_repeat('x', 3 << 20);
            Async\delay(5);
            $held[] = range(1, 100_000);
            Async\delay(20);
            $held[] = str_repeat('y', 2 << 20);
            Async\delay(20);
            break;
        case 'asks':
            Async\delay(20);
            $held[] = str_repeat('x', 32 << 20);
            break;
        case 'grows':
            for ($i = 0; $i < 1000; $i++) {
                $held[] = str_repeat('x', 100_000);
                Async\delay(0);
            }
            break;
        case 'raises':
            ini_set('memory_limit', '64M');
            Async\delay(5);
            $held[] = str_repeat('x', 40 << 20);
            Async\delay(5);
            break;
        case 'lowers':
            $held[] = str_repeat('x', 10 << 20);
            echo ini_set('memory_limit', '8M') === false ? 'refused, ' : '', ini_set('memory_limit', '16M'), ', ';
            Async\delay(5);
            $held[] = str_repeat('x', 10 << 20);
            break;
        case 'none':
            ini_set('memory_limit', '-1');
            Async\delay(5);
            $held[] = str_repeat('x', 100 << 20);
            break;
    }
    echo ini_get('memory_limit'), ' for ', count($held);
    PHP, ['max_memory' => 1 << 32], ['memory_limit=24M']);
$begin = fn (string $do) => $server->connect()->send("GET /?do=$do HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
$answers = fn (array $what) => array_count_values(array_map(fn (Client $client) => $client->response()->line(), array_map($begin, $what)));
for ($round = 0; $round < 10; $round++) {
    foreach (['asks', 'grows'] as $one) {
        $told = $answers([...array_fill(0, 25, 'holds'), $one, ...array_fill(0, 24, 'holds')]);
        ksort($told);
        $rounds[json_encode($told)] = ($rounds[json_encode($told)] ?? 0) + 1;
    }
}
print_r($rounds);
foreach (['raises', 'lowers', 'none', 'holds'] as $do) {
    echo $server->get("/?do=$do"), "\n";
}
$lines = explode("\n", trim($server->stop()));
print_r(array_count_values(preg_replace(['/ (\(tried to allocate \d+ bytes\) )?in .*/', '/usage is \d+/'], ['', 'usage is N'], $lines)));
?>
--EXPECT--
Array
(
    [{"200 24M for 3":49,"500 ":1}] => 20
)
200 64M for 1
500 refused, 24M, 
200 -1 for 1
200 24M for 3
Array
(
    [exit status 0] => 1
    [PHP Fatal error:  Allowed memory size of 25165824 bytes exhausted] => 20
    [PHP Warning:  Failed to set memory limit to 8388608 bytes (Current memory usage is N bytes)] => 1
    [PHP Fatal error:  Allowed memory size of 16777216 bytes exhausted] => 1
)
