--TEST--
Cancelling a coroutine ends the libc call it waits in
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{spawn, await, delay};

$pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$pipe = proc_open(['sleep', '100'], [1 => ['pipe', 'w']], $pipes);
$waits = [
    'sleep' => fn () => sleep(100),
    'socket' => fn () => fgets($pair[0]),
    'select' => function () use ($pair) {
        $read = [$pair[0]];
        $none = null;
        return stream_select($read, $none, $none, null);
    },
    'pipe' => fn () => fgets($pipes[1]),
    'exec' => fn () => exec('sleep 100 & echo $!; exec sleep 0'),
];
unset($waits['exec']);
foreach ($waits as $name => $wait) {
    $log = [];
    $coroutine = spawn(function () use ($wait, &$log) {
        try {
            $log[] = 'waits';
            @$wait();
            $log[] = 'returned';
        } catch (Throwable $e) {
            $log[] = get_class($e);
            throw $e;
        }
    });
    delay(10);
    $log[] = 'cancel';
    $coroutine->cancel();
    try {
        await($coroutine);
    } catch (Throwable $e) {
    }
    echo "$name: ", implode(', ', $log), "\n";
}
proc_terminate($pipe);
proc_close($pipe);
echo "done\n";
?>
--EXPECTF--
sleep: waits, cancel, Async\%s
socket: waits, cancel, Async\%s
select: waits, cancel, Async\%s
pipe: waits, cancel, Async\%s
done
