--TEST--
A child that was forked in a coroutine may close a stream that another coroutine was waiting on
--EXTENSIONS--
weft
pcntl
--FILE--
<?php
use function Async\await;
use function Async\delay;
use function Async\spawn;

$server = stream_socket_server('tcp://127.0.0.1:0');
$accepts = spawn(fn () => @stream_socket_accept($server, 10));
await(spawn(function () use ($server): void {
    delay(1);
    $child = pcntl_fork();
    if ($child === 0) {
        echo 'in the child: ', json_encode(fclose($server)), "\n";
        exit(0);
    }
    pcntl_waitpid($child, $status);
}));
fclose($server);
echo 'in the parent: ', json_encode(await($accepts)), "\n";
?>
--EXPECT--
in the child: true
in the parent: false
