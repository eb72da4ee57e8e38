--TEST--
A fatal error in a shutdown function or in a destructor at a request's end is the request's; the collector goes on
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    switch ($_GET["do"]) {
        case "shutdown":
            register_shutdown_function(function () { trigger_error("in shutdown", E_USER_ERROR); });
            return;
        case "static":
            Holder::$bomb = new Bomb();
            return;
        case "bound":
            $bomb = new Bomb();
            register_shutdown_function(function () use ($bomb) {});
            return;
        case "run":
            Weft\Isolation\run(function () { trigger_error("in run", E_USER_ERROR); });
            return;
        case "cycles":
            for ($i = 0; $i < 50; $i++) {
                $object = new stdClass();
                $object->self = $object;
            }
            unset($object);
            echo gc_collect_cycles(), " collected";
    }
', ini: ['error_reporting=24575'], before: '
    final class Holder
    {
        public static ?Bomb $bomb = null;
    }
    final class Bomb
    {
        public function __destruct()
        {
            trigger_error("in destructor", E_USER_ERROR);
        }
    }
');
foreach (['shutdown', 'static', 'bound', 'run'] as $do) {
    echo "$do: ", $server->get("/?do=$do"), "\n";
    echo $server->get('/?do=cycles'), "\n";
}
echo $server->stop();
?>
--EXPECTF--
shutdown: 500 
200 50 collected
static: 500 
200 50 collected
bound: 500 
200 50 collected
run: 500 
200 50 collected
exit status 0
PHP Fatal error:  in shutdown in %s
PHP Fatal error:  in destructor in %s
PHP Fatal error:  in destructor in %s
PHP Fatal error:  in run in %s
