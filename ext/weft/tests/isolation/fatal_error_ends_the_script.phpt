--TEST--
A fatal error in a domain ends the script as in plain PHP: shutdown functions run, and the exit status is 255
--EXTENSIONS--
weft
--FILE--
<?php
$bodies = [
    'error' => 'trigger_error("in vain", E_USER_ERROR);',
    'compiling' => 'eval("function strlen() {}");',
    'memory' => 'ini_set("memory_limit", "4M"); $all = []; while (true) { $all[] = str_repeat("x", 100_000); }',
    'uncaught' => 'throw new Exception("nobody catches this");',
];
$ways = [
    'plain' => 'call_user_func(%s)',
    'domain' => 'Weft\Isolation\run(%s)',
    'nested' => 'Weft\Isolation\run(fn () => Weft\Isolation\run(%s))',
    'coroutine' => 'Async\await(Async\spawn(fn () => Weft\Isolation\run(%s)))',
    'child' => 'Weft\Isolation\run(fn () => Async\await(Async\spawn(%s)))',
    'left behind' => 'Weft\Isolation\run(fn () => Async\spawn(%s)); Async\delay(60_000)',
];
$php = getenv('TEST_PHP_EXECUTABLE') . ' ' . getenv('TEST_PHP_EXTRA_ARGS');
foreach ($bodies as $name => $body) {
    $seen = [];
    foreach ($ways as $way => $call) {
        if ($way === 'left behind' && $name === 'uncaught') {
            continue; // a warning: nobody awaits it
        }
        $code = 'Weft\Isolation\snapshot(); register_shutdown_function(function () { echo "[shutdown]"; });'
            . sprintf($call, "function () { $body }") . '; echo "[after]";';
        $process = proc_open("$php -d log_errors=0 -d display_errors=0 -r " . escapeshellarg($code), [1 => ['pipe', 'w']], $pipes);
        $output = stream_get_contents($pipes[1]);
        $seen[$way] = $output . ' ' . proc_close($process);
    }
    foreach ($seen as $way => $what) {
        if ($what !== $seen['plain']) {
            echo "$name, $way: $what, not {$seen['plain']}\n";
        }
    }
    echo "$name: {$seen['plain']}\n";
}
?>
--EXPECT--
error: [shutdown] 255
compiling: [shutdown] 255
memory: [shutdown] 255
uncaught: [shutdown] 255
