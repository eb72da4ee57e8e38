--TEST--
Who computes keeps its turn with OPcache's function JIT
--EXTENSIONS--
weft
opcache
--SKIPIF--
<?php
if (ini_get('opcache.jit') === false) {
    echo 'skip this PHP has no JIT';
}
?>
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
    Weft\Isolation\snapshot();
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
        $requests[] = spawn(fn() => Weft\Isolation\run(fn() => $work($name)));
    }
    array_map(static fn ($one) => await($one), $requests);
    rewind($log);
    echo rtrim(stream_get_contents($log), ", "), "\n";
    PHP;
$run = fn(string $jit) => shell_exec(
    getenv('TEST_PHP_EXECUTABLE') . ' ' . getenv('TEST_PHP_EXTRA_ARGS') .
    " -d opcache.enable_cli=1 -d opcache.jit_buffer_size=16M -d opcache.jit=$jit -r " . escapeshellarg($code)
);
echo 'function: ', $run('function');
echo 'function, by digits: ', $run('1205');
echo 'tracing: ', $run('tracing');
?>
--EXPECTF--
function: a begins, a ends, b begins, b ends
function, by digits: a begins, a ends, b begins, b ends
tracing: a begins, b begins, %s ends, %s ends
