<?php

declare(strict_types=1);

/**
 * Scripts that hurt their neighbours where a server has one process for many requests. Each is bounded in all that it takes:
 * what is looked for is what it breaks, not how much there is of the machine.
 */
final class Scripts
{
    private const HEAD = <<<'PHP'
        <?php
        class Hostile extends php_user_filter
        {
            public static $do;
            public function filter($in, $out, &$consumed, bool $closing): int
            {
                (self::$do)();
                return PSFS_PASS_ON;
            }
        }
        class Thing implements JsonSerializable
        {
            public function __construct(public int $depth, public ?Closure $end = null) {}
            public function __toString(): string { return $this->depth > 0 ? 'x' . new self($this->depth - 1) : 'end'; }
            public function jsonSerialize(): mixed { return $this->depth > 0 ? json_encode(new self($this->depth - 1)) : 1; }
            public function __destruct() { if ($this->end) { ($this->end)(); } }
        }

        PHP;

    public function __construct(private readonly Dice $dice)
    {
    }

    public function script(): string
    {
        $script = self::HEAD;
        for ($i = $this->dice->between(1, 4); $i > 0; $i--) {
            $script .= $this->wrapped($this->dice->between(0, 2)) . "\n";
        }

        return $script . "echo 'over';\n";
    }

    /** A piece, in so many others that call it at an odd time. */
    private function wrapped(int $times): string
    {
        if ($times === 0) {
            return $this->piece();
        }
        $inside = 'function () { ' . $this->wrapped($times - 1) . ' }';

        return match ($this->dice->between(1, 9)) {
            1, 2 => "Async\\spawn($inside);",
            3 => "register_shutdown_function($inside);",
            4 => "\$kept[] = new Thing(0, $inside);",
            5 => "ob_start(function (\$text) { (static $inside)(); return \$text; });",
            6 => "Hostile::\$do = $inside; " . $this->filter(),
            7 => "set_error_handler($inside); trigger_error('odd'); restore_error_handler();",
            8 => "\$list = [3, 1, 2]; usort(\$list, function (\$a, \$b) { (static $inside)(); return \$a <=> \$b; });",
            default => "try { (static $inside)(); } finally { usleep({$this->microseconds()}); }",
        };
    }

    private function piece(): string
    {
        $pieces = [
            'exit;', 'exit(3);', "throw new Exception('hostile');", "trigger_error('hostile', E_USER_ERROR);", 'undefined_function();',
            'eval("function again() {} function again() {}");', "eval('this is no PHP');", '$large = str_repeat("x", 200 << 20);',
            "usleep({$this->microseconds()});", 'for ($until = hrtime(true) + 5e6; hrtime(true) < $until;);',
            'Hostile::$do = fn () => ' . $this->dice->pick(['exit', 'throw new Exception("of the filter")', 'usleep(500)', 'trigger_error("x", E_USER_ERROR)'])
                . '; ' . $this->filter(),
            $this->coroutines('exit;'), $this->coroutines('throw new Exception("of a coroutine");'), $this->coroutines(''),
            'Async\spawn(function () { usleep(20000); ' . $this->dice->pick(['trigger_error("late", E_USER_ERROR);', '$m = str_repeat("x", 1 << 30);', 'exit;']) . ' });',
            '$bomb = function (int $depth) use (&$bomb) { if ($depth > 0) { for ($i = 0; $i < 2; $i++) { Async\spawn($bomb, $depth - 1); } usleep(100); } }; '
                . "\$bomb({$this->dice->between(2, 8)});",
            "\$open = []; for (\$i = 0; \$i < {$this->dice->pick([10, 200, 2000])} && (\$file = @fopen(__FILE__, 'r')); \$i++) { \$open[] = \$file; } "
                . "usleep({$this->microseconds()});",
            '$fifo = sys_get_temp_dir() . "/hostile-" . bin2hex(random_bytes(6)); posix_mkfifo($fifo, 0600); '
                . '$opens = Async\spawn(fn () => fopen($fifo, "' . $this->dice->pick(['r', 'w']) . "\")); usleep({$this->microseconds()}); unlink(\$fifo); \$opens->cancel();",
            '@' . $this->dice->pick([
                'pcntl_exec("/bin/true")', 'posix_setsid()', 'proc_nice(5)', 'chroot("/")', 'posix_kill(posix_getppid(), SIGALRM)', 'posix_kill(getmypid(), SIGTERM)',
                'pcntl_alarm(1)', 'posix_setuid(65534)', 'cli_set_process_title("hostile")', 'posix_setrlimit(POSIX_RLIMIT_NOFILE, 10, 10)',
            ]) . ';',
            $this->dice->pick([
                'chdir("/");', 'umask(0);', 'putenv("HONEST=no");', 'date_default_timezone_set("Asia/Tokyo");', 'ini_set("precision", "3");',
                'setlocale(LC_ALL, "C.UTF-8");',
                'mb_internal_encoding("EUC-JP");', 'error_reporting(0);', 'define("HONEST", "hostile");', 'function honest() { return "hostile"; }',
                'stream_wrapper_unregister("file");',
                'header("X-Honest: hostile"); http_response_code(418);', 'spl_autoload_register(function ($class) { exit; }); class_exists("Nothing");',
            ]),
            $this->dice->pick(['strlen(new Thing(DEPTH));', 'json_encode(new Thing(' . $this->depthOfJson() . '));',
                '$f = function ($n) use (&$f) { return $n ? array_map($f, [$n - 1]) : 0; }; $f(DEPTH);',
            ]),
            str_repeat('ob_start(); echo "left open"; ', $this->dice->between(1, 20)),
            'ob_start(function ($text) { ' . $this->dice->pick(['exit;', 'throw new Exception("of a buffer");', 'ob_start();', 'return strrev($text);']) . ' }); echo "buffered";',
            $this->cancelled(),
            '$left = (function () { try { yield 1; } finally { '
                . $this->dice->pick(['usleep(500);', 'exit;', 'throw new Exception("of a generator");']) . ' } })(); $left->current(); unset($left);',
            '$fiber = new Fiber(function () { try { Fiber::suspend(); } finally { '
                . $this->dice->pick(['usleep(500);', 'exit;', '$x = 1;']) . ' } }); $fiber->start(); unset($fiber);',
        ];

        return str_replace('DEPTH', (string) $this->dice->pick([1, 20, 200]), $this->dice->pick($pieces));
    }

    /** Each level doubles the text, until memory_limit ends that. Where every block comes from malloc() nothing does. */
    private function depthOfJson(): string
    {
        return getenv('USE_ZEND_ALLOC') === '0' ? 'min(DEPTH, 20)' : 'DEPTH';
    }

    private function microseconds(): int
    {
        return $this->dice->pick([0, 100, 1000, 5000, 30_000]);
    }

    private function filter(): string
    {
        return "@stream_filter_register('hostile', 'Hostile'); \$stream = fopen('{$this->dice->pick(['php://memory', 'php://temp'])}', 'r+'); "
            . "stream_filter_append(\$stream, 'hostile'); fwrite(\$stream, 'x'); " . $this->dice->pick(['fclose($stream);', 'rewind($stream); fread($stream, 1);', '']);
    }

    private function coroutines(string $do): string
    {
        $count = $this->dice->pick([1, 5, 50, 500]);

        return "for (\$i = 0; \$i < $count; \$i++) { Async\\spawn(function () { usleep({$this->microseconds()}); $do }); } usleep({$this->microseconds()});";
    }

    /** A call that waits, in a coroutine that is cancelled meanwhile. */
    private function cancelled(): string
    {
        $waits = $this->dice->pick([
            '[$a, $b] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0); fread($a, 1);',
            '[$a, $b] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0); fwrite($a, str_repeat("x", 4 << 20));',
            '$process = proc_open(["sleep", "0.2"], [1 => ["pipe", "w"]], $pipes); stream_get_contents($pipes[1]);',
            '$one = fopen(__FILE__, "r"); flock($one, LOCK_EX); $two = fopen(__FILE__, "r"); flock($two, LOCK_EX);',
            '@stream_socket_client("tcp://127.0.0.1:1", timeout: 1); sleep(1);',
            'gethostbyname("localhost"); sleep(1);',
        ]);

        return "\$waits = Async\\spawn(function () { $waits }); usleep({$this->microseconds()}); \$waits->cancel();";
    }
}
