--TEST--
After a request that computes for long, pages of small values that are all free go back to where any value can have them
--EXTENSIONS--
weft
--SKIPIF--
<?php
if (getenv('USE_ZEND_ALLOC') === '0') die('skip PHP\'s own allocator');
?>
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    if (isset($_GET["held"])) { echo memory_get_usage(true) >> 20; return; }
    $values = [];
    for ($i = 0; $i < 300000; $i++) { $values[] = str_repeat("x", 40); }
    $values = null;
    $computed = fn () => getrusage()["ru_utime.tv_sec"] * 1000000 + getrusage()["ru_utime.tv_usec"];
    for ($until = $computed() + 50000; $computed() < $until;) { }
    echo memory_get_usage(true) >> 20;
', ini: ['weft.time_slice=1', 'memory_limit=128M']);
$during = (int) substr($server->get('/'), 4);
echo $during >= 16 ? "it leaves pages behind\n" : "only $during MB\n";
$after = (int) substr($server->get('/?held'), 4);
echo $after < $during / 2 ? "they are free for all\n" : "$after of $during MB are still held\n";
echo $server->stop();
?>
--EXPECT--
it leaves pages behind
they are free for all
exit status 0
