--TEST--
A zygote that hangs or dies while it warms up is replaced by one that stays cold
--EXTENSIONS--
weft
posix
--FILE--
<?php
$zygote = tempnam(sys_get_temp_dir(), 'weft');
file_put_contents($zygote, <<<'PHP'
<?php
$configuration = Weft\Server\configuration();
if ($configuration['cold'] ?? false) {
    echo "the second one is to stay cold\n";
    exit(7);
}
match ($configuration['application']) {
    'hangs' => [Weft\Internal\warming(0.2), sleep(30)],
    'crashes' => [Weft\Internal\warming(30), posix_kill(getmypid(), SIGSEGV)],
    'ends in time' => [Weft\Internal\warming(0.2), Weft\Internal\warming(0), usleep(500_000)],
};
exit(8);
PHP);
$command = array_merge([getenv('TEST_PHP_EXECUTABLE')], preg_split('/\s+/', trim(str_replace(['"', "'"], '', getenv('TEST_PHP_EXTRA_ARGS')))));
foreach (['hangs', 'crashes', 'ends in time'] as $how) {
    echo "one that $how\n";
    Weft\Server\supervise([
        'listen' => [['127.0.0.1', 0]],
        'command' => [...$command, $zygote],
        'configuration' => ['application' => $how],
    ], function () {
        echo "ready?\n";
    });
}
Weft\Internal\warming(0.1);
usleep(200_000);
echo "nobody watches who is no zygote\n";
unlink($zygote);
?>
--EXPECTF--
one that hangs
weft: warm-up has ended the zygote (%d) with signal 9 (Killed); another one starts and stays cold
the second one is to stay cold
weft: the application did not boot: its process ended with exit status 7
one that crashes
weft: warm-up has ended the zygote (%d) with signal 11 (Segmentation fault); another one starts and stays cold
the second one is to stay cold
weft: the application did not boot: its process ended with exit status 7
one that ends in time
weft: the application did not boot: its process ended with exit status 8
nobody watches who is no zygote
