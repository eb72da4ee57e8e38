--TEST--
One coroutine at a time uses a connection of Redis: each gets its own reply
--EXTENSIONS--
weft
igbinary
redis
--SKIPIF--
<?php if (!getenv('WEFT_TEST_REDIS')) die('skip WEFT_TEST_REDIS gives no address'); ?>
--FILE--
<?php
require __DIR__ . '/calls_take_turns.inc';

[$host, $port] = explode(':', getenv('WEFT_TEST_REDIS'));
$redis = new Redis();
$redis->connect($host, (int) $port);
$prefix = 'weft-turns-' . getmypid() . '-';
foreach ([1, 2, 3] as $i) {
    $redis->setex($prefix . $i, 60, str_repeat((string) $i, 100000));
}
calls_take_turns(
    'get, blpop',
    fn ($i) => $i < 4 ? count_chars($redis->get($prefix . $i), 3) : json_encode((bool) $redis->rawCommand('blpop', $prefix . 'none', '0.05')),
    fn () => $redis->close(),
);
?>
--EXPECT--
get, blpop: 1, 2, 3
get, blpop: false, closed
