--TEST--
The thread that ends time slices begins with the first turn after the snapshot, sleeps while all wait, and takes no signals
--EXTENSIONS--
weft
pcntl
posix
--INI--
weft.time_slice=1
--FILE--
<?php
use function Async\{await, delay, spawn};

/** The text of that thread's status, if it exists. */
function watcher(): ?string
{
    foreach (glob('/proc/' . getmypid() . '/task/*/comm') as $name) {
        if (trim(file_get_contents($name)) === 'weft-slice') {
            return file_get_contents(dirname($name) . '/status');
        }
    }
    return null;
}

function naps(): int
{
    preg_match('/^voluntary_ctxt_switches:\s+(\d+)/m', watcher(), $match);
    return (int) $match[1];
}

await(spawn(function () {
    delay(1);
    echo 'without a snapshot: ', watcher() === null ? 'none' : 'one', "\n";
}));
Weft\Isolation\snapshot();
echo 'before anybody else has run: ', watcher() === null ? 'none' : 'one', "\n";
$request = fn() => Weft\Isolation\run(function () {
    delay(20);
    $before = naps();
    delay(500);
    echo 'while all wait: ', naps() - $before < 50 ? 'it sleeps' : 'it looks on', "\n";
    pcntl_async_signals(true);
    pcntl_signal(SIGUSR1, function () use (&$got) {
        $got = true;
    });
    posix_kill(getmypid(), SIGUSR1);
    for ($i = 0; $i < 1_000_000 && !$got; $i++) {
    }
    echo 'signal: ', $got ? 'got' : 'lost', "\n";
    if (pcntl_fork() === 0) {
        delay(1);
        echo 'in a process forked by a request: ', watcher() === null ? 'none' : 'one', "\n";
        exit;
    }
    pcntl_wait($status);
});
await(spawn($request));
echo 'in the parent: ', watcher() === null ? 'none' : 'one', "\n";
?>
--EXPECT--
without a snapshot: none
before anybody else has run: none
while all wait: it sleeps
signal: got
in a process forked by a request: none
in the parent: one
