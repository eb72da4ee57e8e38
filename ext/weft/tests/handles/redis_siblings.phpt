--TEST--
Coroutines of one request share its connection to Redis, and one's answer never goes to the other
--EXTENSIONS--
weft
redis
--SKIPIF--
<?php if (!getenv('WEFT_TEST_REDIS')) die('skip needs WEFT_TEST_REDIS'); ?>
--FILE--
<?php
use function Async\await;
use function Async\spawn;
use function Weft\Isolation\run;

[$host, $port] = explode(':', getenv('WEFT_TEST_REDIS'));
$redis = new Redis();
$redis->connect($host, (int) $port);
Weft\Isolation\snapshot();

await(spawn(fn () => run(function () use ($redis) {
    $siblings = [];
    for ($i = 0; $i < 8; $i++) {
        $siblings[] = spawn(function () use ($redis, $i) {
            $ids = [];
            $wrong = 0;
            for ($round = 0; $round < 20; $round++) {
                $wrong += $redis->echo("$i-$round") !== "$i-$round" ? 1 : 0;
                $ids[$redis->rawCommand('CLIENT', 'ID')] = true;
            }
            return [$wrong, array_keys($ids)];
        });
    }
    // one who waits at the server: the others come after
    $waits = spawn(fn () => $redis->blPop(['weft_handles:nothing'], 1));
    $results = array_map(static fn ($one) => await($one), $siblings);
    echo 'wrong: ', array_sum(array_column($results, 0)), "\n";
    echo 'connections: ', count(array_unique(array_merge(...array_column($results, 1)))), "\n";
    echo 'nothing came: ', json_encode(await($waits)), "\n";

    // one that gives up while it stands in line
    $waits = spawn(fn () => $redis->blPop(['weft_handles:nothing'], 1));
    Async\delay(20);
    $impatient = spawn(fn () => $redis->ping());
    $next = spawn(fn () => $redis->ping());
    Async\delay(20);
    $impatient->cancel();
    try {
        await($impatient);
    } catch (Throwable $e) {
        echo 'who gives up: ', $e::class, "\n";
    }
    echo 'who stood behind: ', json_encode(await($next)), ' ', json_encode(await($waits)), "\n";

    // one that calls again and again, and one that calls once
    $calls = 0;
    $busy = spawn(function () use ($redis, &$calls) {
        for (; $calls < 50; $calls++) {
            $redis->echo('busy');
        }
    });
    $once = spawn(function () use ($redis, &$calls) {
        $redis->ping();
        return $calls;
    });
    echo 'comes before the last of the busy one: ', json_encode(await($once) < 10), "\n";
    await($busy);
})));
?>
--EXPECT--
wrong: 0
connections: 1
nothing came: []
who gives up: Async\AsyncCancellation
who stood behind: true []
comes before the last of the busy one: true
