--TEST--
A zygote that ends before it is ready ends the supervisor with status 1, without a second try
--EXTENSIONS--
weft
--FILE--
<?php
$log = tempnam(sys_get_temp_dir(), 'weft');
$status = Weft\Server\supervise([
    'listen' => [['127.0.0.1', 0]],
    'command' => ['/bin/sh', '-c', "echo started >> $log; exit 7"],
    'configuration' => ['application' => 'none'],
], function () {
    echo "ready?\n";
});
var_dump($status, file_get_contents($log));
unlink($log);
?>
--EXPECT--
weft: the application did not boot: its process ended with exit status 7
int(1)
string(8) "started
"
