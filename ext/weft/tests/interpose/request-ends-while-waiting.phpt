--TEST--
What calls remember on the stacks of coroutines ends with the request; the next one in the process is unharmed
--EXTENSIONS--
weft
ffi
--INI--
weft.proven_modules=FFI
--FILE--
<?php
$script = __DIR__ . '/request-ends-while-waiting-served.php';
file_put_contents($script, <<<'PHP'
    <?php
    function interrupts(): string
    {
        preg_match('/^SigIgn:\s*([0-9a-f]+)$/m', file_get_contents('/proc/self/status'), $found);
        return hexdec($found[1]) & 2 ? 'ignored' : 'heeded';
    }
    echo 'SIGINT ', interrupts();
    Async\spawn(fn () => null);
    $c = FFI::cdef('int system(const char *command);', 'libc.so.6');
    // both wait when the request ends, and a fatal error unwinds nobody
    Async\spawn(fn () => $c->system('sleep 0.3'));
    Async\spawn(fn () => gethostbyname('localhost'));
    Async\spawn(function () {
        echo ', while a command runs ', interrupts();
        eval('function strlen() {}');
    });
    Async\delay(1000);
    PHP);
$free = stream_socket_server('tcp://127.0.0.1:0');
$address = stream_socket_get_name($free, false);
fclose($free);
$command = 'exec ' . getenv('TEST_PHP_EXECUTABLE') . ' ' . getenv('TEST_PHP_EXTRA_ARGS') . " -d ffi.enable=1 -d display_errors=0 -S $address $script";
$server = proc_open($command, [2 => ['file', '/dev/null', 'w']], $pipes);
for ($tries = 0; $tries < 200 && !($up = @stream_socket_client("tcp://$address")); $tries++) {
    usleep(20_000);
}
$context = stream_context_create(['http' => ['ignore_errors' => true]]);
for ($i = 0; $i < 3; $i++) {
    echo @file_get_contents("http://$address/", context: $context) ?: 'no answer', "\n";
}
proc_terminate($server);
proc_close($server);
unlink($script);
?>
--EXPECT--
SIGINT heeded, while a command runs ignored
SIGINT heeded, while a command runs ignored
SIGINT heeded, while a command runs ignored
