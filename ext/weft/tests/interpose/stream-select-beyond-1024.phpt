--TEST--
stream_select() takes descriptors from 1,024 on as it takes others: alone, beside other coroutines, interrupted
--EXTENSIONS--
weft
posix
pcntl
--SKIPIF--
<?php
$most = posix_getrlimit()['hard openfiles'];
if ($most !== 'unlimited' && $most < 2000) die('skip it may have too few descriptors');
?>
--FILE--
<?php
posix_setrlimit(POSIX_RLIMIT_NOFILE, 2000, 2000);

/** @return list<resource> two pairs */
function pairs(): array
{
    return [...stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0), ...stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0)];
}

function select(?array $read, ?array $write, ?array $except, ?int $seconds, ?int $microseconds = null): string
{
    error_clear_last();
    try {
        $ready = stream_select($read, $write, $except, $seconds, $microseconds);
    } catch (Error $e) {
        return get_class($e) . ': ' . $e->getMessage();
    }

    return json_encode([$ready, ...array_map(static fn (?array $some) => $some === null ? null : array_keys($some), [$read, $write, $except])])
        . (error_get_last() === null ? '' : ' ' . preg_replace('/\d{4,}/', 'N', error_get_last()['message']));
}

/** @param list<resource> $streams */
function cases(array $streams, bool $alone = true): Generator
{
    [$a, $b, $c, $d] = $streams;
    yield 'nothing in time' => select(['a' => $a, 7 => $c], null, null, 0, 1000);
    yield 'only a look' => select([$a], null, null, 0);
    fwrite($b, "one\ntwo\n");
    yield 'keys' => select([5 => $c, 'a' => $a], ['x' => $a, 3 => $b], [$a], 5);
    yield 'no time limit' => select([$c, $a], [], null, null);
    fgets($a);
    yield 'read already' => select(['c' => $c, 'a' => $a], ['w' => $d], [$d], null);
    fgets($a);
    $of = ['reference' => &$d, $b];
    yield 'references, and a stream twice' => select($of, [...$of, $b], null, 0);
    yield 'no descriptor' => select([$a, fopen('php://memory', 'r'), 'no stream'], null, null, 0);
    yield 'before now' => select([$a], null, null, -1);
    yield 'microseconds before now' => select([$a], null, null, 0, -1);
    yield 'microseconds of forever' => select([$a], null, null, null, 1);
    yield 'an hour of microseconds' => select([$a], [$b], null, 0, 3_600_000_000);
    if ($alone) { // else the other one may be what it interrupts
        pcntl_alarm(1);
        yield 'a signal' => select([$a], null, null, 9);
    }
    stream_socket_shutdown($b, STREAM_SHUT_WR);
    yield 'the end' => select([$a], [$b], null, null);
    fclose($d);
    yield 'hung up' => select([$c], [$c], [$c], null);
}

function compare(string $how, bool $alone): void
{
    global $low, $high;
    $expected = iterator_to_array(cases($low(), $alone));
    foreach (cases($high(), $alone) as $what => $is) {
        echo $is === $expected[$what] ? '' : "$how, $what: $is instead of $expected[$what]\n";
    }
    echo count($expected), " cases $how\n";
}

function is_high($stream): string
{
    foreach (scandir('/proc/self/fd') as $fd) {
        if ((int) $fd >= 1024 && @fstat($stream)['ino'] === @stat("/proc/self/fd/$fd")['ino']) {
            return 'high';
        }
    }

    return 'low';
}

error_reporting(0);
pcntl_async_signals(true);
pcntl_signal(SIGALRM, static fn () => null, false);
$lows = [pairs(), pairs()];
$reserve = fopen('/dev/null', 'r'); // scandir()'s
for ($i = 0; $i < 1024; $i++) {
    $taken[] = fopen('/dev/null', 'r');
}
$low = static function () use (&$lows): array { return array_pop($lows); };
$high = static fn (): array => pairs();
echo is_high($high()[0]), ' ', is_high($lows[0][0]), "\n";
foreach (cases($high()) as $what => $is) {
    echo "$what: $is\n";
}
compare('alone', true);

// another coroutine runs meanwhile, and wakes it
$others = 0;
$ticker = Async\spawn(static function () use (&$others): void {
    while (true) {
        $others++;
        Async\delay(1);
    }
});
compare('beside another coroutine', false);
[$a, $b] = $high();
$before = $others;
$writer = Async\spawn(static function () use ($b): void {
    Async\delay(20);
    fwrite($b, 'x');
});
echo select(['woken' => $a], null, null, null), $others > $before ? " others have run\n" : " nobody has run\n";
$ticker->cancel();
?>
--EXPECT--
high low
nothing in time: [0,[],null,null]
only a look: [0,[],null,null]
keys: [3,["a"],["x",3],[]]
no time limit: [1,[1],[],null]
read already: [1,["a"],[],[]]
references, and a stream twice: [2,[],["reference",0,1],null]
no descriptor: TypeError: stream_select(): supplied argument is not a valid stream resource
before now: ValueError: stream_select(): Argument #4 ($seconds) must be greater than or equal to 0
microseconds before now: ValueError: stream_select(): Argument #5 ($microseconds) must be greater than or equal to 0
microseconds of forever: ValueError: stream_select(): Argument #5 ($microseconds) must be null when argument #4 ($seconds) is null
an hour of microseconds: [1,[],[0],null]
a signal: [false,[0],null,null] stream_select(): Unable to select [4]: Interrupted system call (max_fd=N)
the end: [2,[0],[0],null]
hung up: [2,[0],[0],[]]
14 cases alone
13 cases beside another coroutine
[1,["woken"],null,null] others have run
