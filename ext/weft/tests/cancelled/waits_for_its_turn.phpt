--TEST--
A cancellation that comes while a call waits for a sibling's turn on the connection is over with that call: the next one answers, warnings are heard
--EXTENSIONS--
weft
redis
--SKIPIF--
<?php if (!getenv('WEFT_TEST_REDIS')) die('skip needs WEFT_TEST_REDIS'); ?>
--FILE--
<?php
use function Async\await;
use function Async\spawn;

[$host, $port] = explode(':', getenv('WEFT_TEST_REDIS'));
$redis = new Redis();
$redis->connect($host, (int) $port);
Weft\Isolation\snapshot();

await(spawn(fn () => Weft\Isolation\run(function () use ($redis) {
    $waits = spawn(fn () => $redis->blPop(['weft_cancelled:nothing'], 1));
    Async\delay(20);
    $impatient = spawn(function () use ($redis) {
        for ($i = 0; $i < 3; $i++) {
            try {
                $answer = $redis->echo("answer $i");
                echo "$answer\n";
            } catch (Async\AsyncCancellation $e) {
                echo 'cancelled: ', $e::class, "\n";
                trigger_error('a warning', E_USER_WARNING);
            }
        }
    });
    Async\delay(20);
    $impatient->cancel();
    await($impatient);
    await($waits);
})));
?>
--EXPECTF--
cancelled: Async\AsyncCancellation

Warning: a warning in %s on line %d
answer 1
answer 2
