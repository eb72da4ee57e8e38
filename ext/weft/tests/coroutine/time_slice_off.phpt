--TEST--
Who computes keeps its turn with weft.time_slice=0, and without a snapshot
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
    array_map(static fn ($one) => await($one), $requests);
    rewind($log);
    echo rtrim(stream_get_contents($log), ", "), "\n";
    PHP;
$run = fn(string $options, string $how) => shell_exec(
    getenv('TEST_PHP_EXECUTABLE') . ' ' . getenv('TEST_PHP_EXTRA_ARGS') . " $options -r " . escapeshellarg($code) . " $how"
);
echo 'default: ', $run('', 'isolated');
echo 'off: ', $run('-d weft.time_slice=0', 'isolated');
echo 'without a snapshot: ', $run('', 'shared');
echo 'coroutines of a script: ', $run('', 'script');
echo $run('-d weft.time_slice=10s', 'isolated');
?>
--EXPECTF--
default: a begins, b begins, %s ends, %s ends
off: a begins, a ends, b begins, b ends
without a snapshot: a begins, a ends, b begins, b ends
coroutines of a script: a begins, a ends, b begins, b ends
%AWarning: weft.time_slice must be a number of milliseconds from 0 to 60000, "10s" given in %s
a begins, b begins, %s ends, %s ends
