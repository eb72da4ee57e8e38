--TEST--
A cancelled call of Redis throws its cancellation, and no later command gets its reply
--EXTENSIONS--
weft
igbinary
redis
--SKIPIF--
<?php if (!getenv('WEFT_TEST_REDIS')) die('skip WEFT_TEST_REDIS gives no address'); ?>
--FILE--
<?php
require __DIR__ . '/cancelled.inc';

[$host, $port] = explode(':', getenv('WEFT_TEST_REDIS'));
$prefix = 'weft-c-' . getmypid() . '-';
$open = function (string $id = '') use ($host, $port): Redis {
    $redis = new Redis();
    $id === '' ? $redis->connect($host, (int) $port) : $redis->pconnect($host, (int) $port, 0, $id);

    return $redis;
};
cancel_at_random([
    'blocking pop' => fn ($redis, $i) => $redis->blPop([$prefix . $i], 1),
    'command' => function ($redis, $i) use ($prefix) {
        for ($n = 0; $n < 100; $n++) {
            $redis->set($prefix . $i, "cancelled-$i");
            $redis->get($prefix . $i);
        }
    },
    'script' => fn ($redis, $i) => $redis->eval("return {'cancelled-$i', redis.call('time')}") && $redis->blPop([$prefix . $i], 1),
    'large reply' => function ($redis, $i) use ($prefix) {
        $redis->set("$prefix$i", str_repeat("cancelled-$i", 20000));
        for ($n = 0; $n < 10; $n++) {
            $redis->mGet(array_fill(0, 5, "$prefix$i"));
        }
    },
    'pipeline' => fn ($redis, $i) => $redis->pipeline()->get("$prefix$i")->echo("cancelled-$i")->blPop([$prefix . 'none' . $i], 1)->echo("cancelled-$i")->exec(),
    'multi' => function ($redis, $i) use ($prefix) {
        for ($n = 0; $n < 30; $n++) {
            $redis->multi()->set("$prefix$i", "cancelled-$i")->get("$prefix$i")->echo("cancelled-$i")->exec();
        }
    },
    'subscribe' => fn ($redis, $i) => $redis->subscribe(["$prefix$i"], fn () => null),
    'connect' => function ($redis, $i) use ($open, $prefix) {
        for ($n = 0; $n < 20; $n++) {
            $open()->get("$prefix$i");
        }
    },
    'persistent' => fn ($redis, $i) => $open("c$i")->blPop([$prefix . 'none' . $i], 1),
], $open, function (Redis $redis, string $text) {
    // a cancellation between two commands leaves the application's MULTI as it is
    $redis->getMode() === Redis::ATOMIC || $redis->discard();

    return $redis->echo($text);
});

$wrong = 0;
for ($i = 0; $i < 39; $i++) {
    $wrong += $open("c$i")->echo("next-$i") === "next-$i" ? 0 : 1;
}
echo "persistent ones later: $wrong wrong\n";
$redis = $open();
foreach ($redis->keys("$prefix*") as $key) {
    $redis->del($key);
}
?>
--EXPECT--
blocking pop: some cancelled, nothing else thrown, 0 wrong answers
command: some cancelled, nothing else thrown, 0 wrong answers
script: some cancelled, nothing else thrown, 0 wrong answers
large reply: some cancelled, nothing else thrown, 0 wrong answers
pipeline: some cancelled, nothing else thrown, 0 wrong answers
multi: some cancelled, nothing else thrown, 0 wrong answers
subscribe: some cancelled, nothing else thrown, 0 wrong answers
connect: some cancelled, nothing else thrown, 0 wrong answers
persistent: some cancelled, nothing else thrown, 0 wrong answers
persistent ones later: 0 wrong
