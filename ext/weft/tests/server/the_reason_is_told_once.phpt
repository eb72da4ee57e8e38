--TEST--
A zygote that says why the application did not boot says it once; of one that says nothing the supervisor tells how it ended
--EXTENSIONS--
weft
--INI--
display_errors=0
log_errors=0
--FILE--
<?php
$zygote = tempnam(sys_get_temp_dir(), 'weft');
file_put_contents($zygote, <<<'PHP'
<?php
match (Weft\Server\configuration()['application']) {
    'told' => Weft\Server\not_booted("there is no moon\nin the sky"),
    'fatal' => require __DIR__ . '/nowhere.php',
    'silent' => null,
};
exit(9);
PHP);
$command = array_merge([getenv('TEST_PHP_EXECUTABLE')], preg_split('/\s+/', trim(str_replace(['"', "'"], '', getenv('TEST_PHP_EXTRA_ARGS')))));
foreach (['told', 'fatal', 'silent'] as $how) {
    var_dump(Weft\Server\supervise([
        'listen' => [['127.0.0.1', 0]],
        'command' => [...$command, '-d', 'display_errors=0', '-d', 'log_errors=0', $zygote],
        'configuration' => ['application' => $how],
    ], function () {
        echo "ready?\n";
    }));
}
unlink($zygote);
?>
--EXPECTF--
weft: the application did not boot: there is no moon
    in the sky
int(1)
weft: the application did not boot: Uncaught Error: Failed opening required '%s/nowhere.php' %a
    Stack trace:
    #0 {main}
      thrown in %s
int(1)
weft: the application did not boot: its process ended with exit status 9
int(1)
