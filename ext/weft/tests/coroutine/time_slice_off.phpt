--TEST--
Who computes keeps its turn with weft.time_slice=0, without a snapshot, and with OPcache's function JIT
--EXTENSIONS--
weft
--FILE--
<?php
$code = <<<'PHP'
    use function Async\{await, spawn};
    function computed(): int
    {
        $usage = getrusage();
        return ($usage["ru_utime.tv_sec"] + $usage["ru_stime.tv_sec"]) * 1_000_000
            + $usage["ru_utime.tv_usec"] + $usage["ru_stime.tv_usec"];
    }
    $isolated = $argv[1] === "isolated";
    if ($isolated) {
        Weft\Isolation\snapshot();
    }
    $log = tmpfile();
    $work = function (string $name) use ($log) {
        fwrite($log, "$name begins, ");
        // a slice is one of CPU time
        for ($end = computed() + 100_000; computed() < $end;) {
        }
        fwrite($log, "$name ends, ");
    };
    $requests = [];
    foreach (["a", "b"] as $name) {
        $requests[] = spawn(fn() => $isolated || $argv[1] === "shared" ? Weft\Isolation\run(fn() => $work($name)) : $work($name));
    }
    array_map(await(...), $requests);
    rewind($log);
    echo rtrim(stream_get_contents($log), ", "), "\n";
    PHP;
$jit = '-d opcache.enable_cli=1 -d opcache.jit_buffer_size=16M -d opcache.jit';
$run = fn(string $options, string $how) => shell_exec(
    getenv('TEST_PHP_EXECUTABLE') . ' ' . getenv('TEST_PHP_EXTRA_ARGS') . " $options -r " . escapeshellarg($code) . " $how"
);
echo 'default: ', $run('', 'isolated');
echo 'off: ', $run('-d weft.time_slice=0', 'isolated');
echo 'without a snapshot: ', $run('', 'shared');
echo 'coroutines of a script: ', $run('', 'script');
echo 'function JIT: ', $run("$jit=function", 'isolated');
echo 'function JIT by digits: ', $run("$jit=1205", 'isolated');
echo 'tracing JIT: ', $run("$jit=tracing", 'isolated');
echo $run('-d weft.time_slice=10s', 'isolated');
?>
--EXPECTF--
default: a begins, b begins, %s ends, %s ends
off: a begins, a ends, b begins, b ends
without a snapshot: a begins, a ends, b begins, b ends
coroutines of a script: a begins, a ends, b begins, b ends
function JIT: a begins, a ends, b begins, b ends
function JIT by digits: a begins, a ends, b begins, b ends
tracing JIT: a begins, b begins, %s ends, %s ends
%AWarning: weft.time_slice must be a number of milliseconds from 0 to 60000, "10s" given in %s
a begins, b begins, %s ends, %s ends
