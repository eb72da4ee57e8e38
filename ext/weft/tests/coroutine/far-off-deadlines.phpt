--TEST--
Deadlines that are far off come in their order: beside short ones, after a nearer one was taken back, in a forked child
--EXTENSIONS--
weft
pcntl
--FILE--
<?php
use function Async\{await, await_all, delay, spawn, timeout};

$sleep = fn (int $ms) => function () use ($ms) {
    delay($ms);
    echo "$ms ms\n";
};
// each nearer than the one before, then one in between
await_all([spawn($sleep(900)), spawn($sleep(600)), spawn($sleep(300)), spawn($sleep(450))]);

echo "--- beside short ones\n";
$long = spawn($sleep(400));
$short = 0;
while (!$long->isCompleted()) {
    delay(1);
    $short++;
}
echo $short > 1 ? "they came meanwhile\n" : "they had to wait\n";

echo "--- the nearest is taken back\n";
$gone = spawn($sleep(200));
$kept = spawn($sleep(500));
delay(1);
$gone->cancel();
await($kept);

echo "--- a descriptor comes first, and nothing but a far-off deadline is left\n";
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$read = spawn(function () use ($here) {
    echo 'read: ', fread($here, 10), "\n";
});
$sleeper = spawn($sleep(300));
delay(150);
fwrite($there, 'hello');
await_all([$read, $sleeper]);

echo "--- a child of a fork has its own\n";
$outer = spawn($sleep(700));
delay(1);
$pid = pcntl_fork();
if ($pid === 0) {
    delay(200);
    echo "child\n";
    posix_kill(getmypid(), SIGKILL);
}
pcntl_waitpid($pid, $status);
await($outer);
?>
--EXPECT--
300 ms
450 ms
600 ms
900 ms
--- beside short ones
400 ms
they came meanwhile
--- the nearest is taken back
500 ms
--- a descriptor comes first, and nothing but a far-off deadline is left
read: hello
300 ms
--- a child of a fork has its own
child
700 ms
