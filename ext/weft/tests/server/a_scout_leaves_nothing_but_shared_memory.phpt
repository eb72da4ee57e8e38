--TEST--
A scout does what it is asked to in a process of its own, which ends without a word, however that happens
--EXTENSIONS--
weft
posix
--FILE--
<?php
$zygote = tempnam(sys_get_temp_dir(), 'weft');
$log = tempnam(sys_get_temp_dir(), 'weft');
file_put_contents($zygote, <<<'PHP'
<?php
$log = Weft\Server\configuration()['application'];
Weft\Server\become_server();
function say(string $text): void {
    global $log;
    file_put_contents($log, "$text\n", FILE_APPEND);
}
class Ends { function __destruct() { say('destructor of ' . ($this->pid === getmypid() ? 'its own' : 'another') . ' process'); } public int $pid = 0; }
$zygote = getmypid();
$seen = 'nothing';
$boots = [
    'returns' => fn () => 1,
    'exits' => fn () => exit(3),
    'throws' => fn () => throw new Exception('not heard'),
    'dies' => fn () => call_to_a_function_that_is_not_there(),
    'runs out of memory' => fn () => str_repeat('x', PHP_INT_MAX >> 8),
    'is killed' => fn () => posix_kill(getmypid(), SIGKILL),
];
foreach ($boots as $how => $boot) {
    Weft\Server\scout(function () use ($how, $boot, $zygote, &$seen) {
        global $kept;
        echo "not heard\n";
        $seen = 'something';
        $kept = new Ends;
        $kept->pid = getmypid();
        register_shutdown_function(fn () => say('shutdown function'));
        say("a scout $how in " . (getmypid() === $zygote ? 'the zygote' : 'a process of its own'));
        $boot();
    });
}
say("the zygote has seen $seen, and has " . (trim(file_get_contents("/proc/$zygote/task/$zygote/children")) === '' ? 'no child' : 'children'));
exit(7);
PHP);
$command = array_merge([getenv('TEST_PHP_EXECUTABLE')], preg_split('/\s+/', trim(str_replace(['"', "'"], '', getenv('TEST_PHP_EXTRA_ARGS')))));
$status = Weft\Server\supervise([
    'listen' => [['127.0.0.1', 0]],
    'command' => [...$command, $zygote],
    'configuration' => ['application' => $log],
], function () {
    echo "ready?\n";
});
echo file_get_contents($log);
unlink($log);
unlink($zygote);
?>
--EXPECT--
weft: the application did not boot: it has called exit(), with status 7
a scout returns in a process of its own
a scout exits in a process of its own
a scout throws in a process of its own
a scout dies in a process of its own
a scout runs out of memory in a process of its own
a scout is killed in a process of its own
the zygote has seen nothing, and has no child
