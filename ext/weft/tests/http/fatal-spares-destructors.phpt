--TEST--
After a fatal error in one request, the destructors of the others run, and those of later ones, each once
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

// without the queue for memory: after who has used all of it, others wait and a line tells
$server = new Server('
    switch ($_GET["do"]) {
        case "job":
            new Phoenix();
            $job = new Job("dispatched");
            Async\delay(300);
            unset($job);
            Phoenix::$kept = null;
            echo "done";
            return;
        case "after": $job = new Job("after"); unset($job); echo "done"; return;
        case "error": trigger_error("broken", E_USER_ERROR);
        case "compile": eval("class A {} class A {}"); return;
        case "memory": $s = str_repeat("x", 100 << 20); return;
        case "much": for ($a = [];;) { $a[] = str_repeat("x", 1000); }
        case "cycle": $b = new Bomb; $b->self = $b; unset($b); gc_collect_cycles(); return;
    }
', config: ['memory_share' => 0], ini: ['memory_limit=32M', 'error_reporting=24575'], before: '
    final class Job
    {
        public function __construct(private string $name)
        {
        }

        public function __destruct()
        {
            fwrite(STDERR, "job {$this->name}\n");
        }
    }
    final class Phoenix
    {
        public static ?self $kept = null;

        public function __destruct()
        {
            self::$kept = $this;
            fwrite(STDERR, "phoenix\n");
        }
    }
    final class Bomb
    {
        public $self;
        public function __destruct()
        {
            trigger_error("bomb", E_USER_ERROR);
        }
    }
');
foreach (['error', 'compile', 'memory', 'much', 'cycle'] as $do) {
    $waiting = $server->connect()->send("GET /?do=job HTTP/1.1\r\nHost: a\r\n\r\n");
    usleep(50000);
    echo "$do: ", $server->get("/?do=$do"), "\n";
    echo $waiting->response()->line(), "\n";
    echo $server->get('/?do=after'), "\n";
}
echo $server->stop();
?>
--EXPECTF--
error: 500 
200 done
200 done
compile: 500 
200 done
200 done
memory: 500 
200 done
200 done
much: 500 
200 done
200 done
cycle: 500 
200 done
200 done
exit status 0
phoenix
PHP Fatal error:  broken in %s
job dispatched
job after
phoenix
PHP Fatal error:  Cannot %s class A%s
job dispatched
job after
phoenix
PHP Fatal error:  Allowed memory size of 33554432 bytes exhausted %s
job dispatched
job after
phoenix
PHP Fatal error:  Allowed memory size of 33554432 bytes exhausted %s
job dispatched
job after
phoenix
PHP Fatal error:  bomb in %s
job dispatched
job after
