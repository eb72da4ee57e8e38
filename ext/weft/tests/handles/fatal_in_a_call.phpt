--TEST--
A fatal error in the middle of a call on a handle of the boot leaves the connection to the siblings
--EXTENSIONS--
weft
redis
--SKIPIF--
<?php if (!getenv('WEFT_TEST_REDIS')) die('skip needs WEFT_TEST_REDIS'); ?>
--FILE--
<?php
require __DIR__ . '/../http/server.inc';

[$host, $port] = explode(':', getenv('WEFT_TEST_REDIS'));
$server = new Server('
    switch ($_GET["do"]) {
        case "die":
            Async\spawn(function () {
                try {
                    $answer = $GLOBALS["redis"]->rawCommand("ECHO", "sibling");
                } catch (Throwable $e) {
                    $answer = $e::class;
                }
                fwrite(STDOUT, "$answer\n");
            });
            $GLOBALS["redis"]->get("weft_handles:fatal");
        case "go on": echo $GLOBALS["redis"]->rawCommand("ECHO", "next"); return;
    }
', before: '
    final class Deadly
    {
        public function __wakeup(): void { Async\delay(50); trigger_error("in a call", E_USER_ERROR); }
    }
    $redis = new Redis();
    $redis->connect("' . $host . '", ' . $port . ');
    $redis->setOption(Redis::OPT_SERIALIZER, Redis::SERIALIZER_PHP);
    $redis->set("weft_handles:fatal", new Deadly());
', ini: ['error_reporting=24575']);
echo $server->get('/?do=die'), "\n", $server->line(), $server->get('/?do=go%20on'), "\n";
echo $server->stop();
$redis = new Redis();
$redis->connect($host, (int) $port);
$redis->del('weft_handles:fatal');
?>
--EXPECTF--
500%A
sibling
200 next
exit status 0
PHP Fatal error:  in a call in %s
