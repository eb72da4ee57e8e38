--TEST--
50 child processes at once: proc_open with pipes, proc_close, exec, shell_exec, passthru, popen
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/helper.inc';
$got = interleave(function (int $i): string {
    $process = proc_open(['sh', '-c', "read x; sleep 0.7; echo got \$x; exit $i"], [['pipe', 'r'], ['pipe', 'w']], $pipes);
    fwrite($pipes[0], "$i\n");
    $line = fgets($pipes[1]);
    return trim($line) . ', ' . proc_close($process);
});
var_dump($got === array_map(fn ($i) => "got $i, $i", range(0, WAITS - 1)));

$got = interleave(function (int $i): string {
    exec("sleep 0.5; echo $i; exit 3", $lines, $status);
    return "$lines[0], $status";
}, 8);
echo implode(' ', $got), "\n";

$got = interleave(fn (int $i): string => trim(shell_exec("sleep 0.5; echo $i")), 8);
echo implode(' ', $got), "\n";

$got = interleave(function (int $i): int {
    $pipe = popen('read x; sleep 0.5; exit $x', 'w');
    fwrite($pipe, "$i\n");
    return pclose($pipe);
}, 8);
echo implode(' ', $got), "\n";

ob_start();
system('echo from system', $status);
$output = trim(ob_get_clean());
echo "$status $output\n";
?>
--EXPECT--
begun before the first ended: 50 of 50
bool(true)
begun before the first ended: 8 of 8
0, 3 1, 3 2, 3 3, 3 4, 3 5, 3 6, 3 7, 3
begun before the first ended: 8 of 8
0 1 2 3 4 5 6 7
begun before the first ended: 8 of 8
0 1 2 3 4 5 6 7
0 from system
