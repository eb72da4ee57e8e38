--TEST--
50 blocking Redis reads at once
--EXTENSIONS--
weft
igbinary
redis
--SKIPIF--
<?php if (!getenv('WEFT_TEST_REDIS')) die('skip WEFT_TEST_REDIS gives no address'); ?>
--FILE--
<?php
require __DIR__ . '/helper.inc';
[$host, $port] = explode(':', getenv('WEFT_TEST_REDIS'));
$prefix = 'weft-' . getmypid() . '-';
$connect = function () use ($host, $port): Redis {
    $redis = new Redis();
    $redis->connect($host, (int) $port);
    return $redis;
};
Async\spawn(function () use ($connect, $prefix) {
    Async\delay(300);
    $redis = $connect();
    for ($i = WAITS - 1; $i >= 0; $i--) {
        $redis->lPush($prefix . $i, (string) $i);
    }
});
$got = interleave(fn (int $i): int => (int) $connect()->brPop([$prefix . $i], 10)[1]);
var_dump($got === range(0, WAITS - 1));
?>
--EXPECT--
begun before the first ended: 50 of 50
bool(true)
