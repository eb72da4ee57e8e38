--TEST--
In a request's coroutines a logger of the boot keeps every line, and an event loop runs where it is used
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/../http/server.inc';

$before = <<<'PHP'
    /** Drops what is logged while it logs, and knows Fibers; as Monolog. */
    final class Logger
    {
        private int $depth = 0;
        private WeakMap $depths;
        public array $lines = [];

        public function __construct()
        {
            $this->depths = new WeakMap();
        }

        public function info(string $line): void
        {
            $fiber = Fiber::getCurrent();
            $depth = $fiber ? $this->depths[$fiber] = ($this->depths[$fiber] ?? 0) + 1 : ++$this->depth;
            if ($depth < 3) {
                Async\delay(1); // a processor that asks a server
                $this->lines[] = $line;
            }
            $fiber ? $this->depths[$fiber]-- : $this->depth--;
        }

        public function keys(): int
        {
            return count($this->depths);
        }
    }

    /** Suspends the caller's Fiber for so many turns; where there is none it runs in place. As Revolt. */
    final class Loop
    {
        private array $waiting = [];
        private int $now = 0;

        public function delay(int $turns): void
        {
            $due = $this->now + $turns;
            if ($fiber = Fiber::getCurrent()) {
                $this->waiting[] = [$due, $fiber];
                Fiber::suspend();
                return;
            }
            while ($this->now < $due) {
                $this->turn();
            }
        }

        private function turn(): void
        {
            usleep(500);
            $this->now++;
            foreach ($this->waiting as $key => [$due, $fiber]) {
                if ($due <= $this->now) {
                    unset($this->waiting[$key]);
                    $fiber->resume();
                }
            }
        }

        public function together(callable ...$tasks): void
        {
            array_map(fn ($task) => (new Fiber($task))->start(), $tasks);
            while ($this->waiting) {
                $this->turn();
            }
        }
    }
    $log = new Logger();
    $loop = new Loop();
    PHP;
$handler = <<<'PHP'
    global $log, $loop;
    $log_ten = function (int $from) use ($log) {
        for ($i = 0; $i < 10; $i++) {
            $log->info("$from.$i");
        }
    };
    $wait = function () use ($loop) {
        $at = [];
        $loop->delay(2);
        $loop->together(
            function () use ($loop, &$at) { $loop->delay(8); $at[] = 'late'; },
            function () use ($loop, &$at) { $loop->delay(1); $at[] = 'early'; },
        );
        return implode(',', $at);
    };
    $tasks = array_map(fn (int $from) => Async\spawn($log_ten, $from), range(1, 8));
    $waits = [$wait(), Async\await(Async\spawn($wait))];
    $log_ten(9);
    Async\await_all_or_fail($tasks);
    if ($_GET['do'] === 'fatal') {
        Async\await(Async\spawn(function () use ($log) {
            Async\spawn(fn () => $log->info('after a fatal error'));
            $log->info('before a fatal error');
            eval('function twice() {} function twice() {}');
        }));
    }
    echo count($log->lines), ' lines, ', count(array_unique($log->lines)), ' of them different, ', $log->keys(), ' keys, ', implode(' ', $waits);
    PHP;
$server = new Server($handler, before: $before);
$begin = fn (string $do) => $server->connect()->send("GET /?do=$do HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
foreach (array_map($begin, ['log', 'log', 'fatal', 'log', 'log']) as $client) {
    echo $client->response()->line(), "\n";
}
echo $begin('log')->response()->line(), "\n";
echo preg_replace(['/ in .*/', '/redeclare function /'], ['', 'redeclare '], $server->stop()) /* PHP 8.4 says so */;
?>
--EXPECTF--
200 90 lines, 90 of them different, 0 keys, early,late early,late
200 90 lines, 90 of them different, 0 keys, early,late early,late
500 %S
200 90 lines, 90 of them different, 0 keys, early,late early,late
200 90 lines, 90 of them different, 0 keys, early,late early,late
200 90 lines, 90 of them different, 0 keys, early,late early,late
exit status 0
PHP Fatal error:  Cannot redeclare twice() (previously declared%S
