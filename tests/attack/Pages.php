<?php

declare(strict_types=1);

namespace Weft\Attack;

use Async;
use Exception;
use php_user_filter;

/**
 * What honest visitors ask for, and what hurts a server that has one process for many requests: the pages of tests/attack/scripts,
 * in whichever way they are served.
 */
final class Pages
{
    /**
     * @param string $argument of the query: what an honest visitor wants to hear, or the name of an attack
     */
    public static function answer(string $path, string $argument, string $body): string
    {
        switch ($path) {
            case '/hello':
                usleep(2000);

                return "hello $argument";
            case '/form':
                return md5($body);
            default:
                self::attack($argument);

                return "$argument is over";
        }
    }

    private static function attack(string $name): void
    {
        match ($name) {
            'exit in a filter' => self::filter(static fn () => exit),
            'exception in a filter' => self::filter(static fn () => throw new Exception('of the filter')),
            'exit in coroutines' => self::exitInCoroutines(),
            'error afterwards' => Async\spawn(static function (): void {
                usleep(20_000);
                trigger_error('afterwards', E_USER_ERROR);
            }),
            'memory afterwards' => Async\spawn(static function (): void {
                usleep(20_000);
                usleep(strlen(str_repeat('x', PHP_INT_MAX >> 8)));
            }),
            'bomb' => self::bomb(),
            'descriptors' => self::descriptors(),
            'fifo' => self::fifo(),
            'process' => self::process(),
            'signals' => self::signals(),
            default => throw new Exception("There is no attack '$name'"),
        };
    }

    private static function filter(callable $run): void
    {
        $filter = new class () extends php_user_filter {
            /** @var callable */
            public static $run;

            /**
             * @param resource $in
             * @param resource $out
             * @param int $consumed
             */
            public function filter($in, $out, &$consumed, bool $closing): int
            {
                (self::$run)();

                return PSFS_PASS_ON;
            }
        };
        $filter::$run = $run;
        // a name for each, since coroutines of one application share what is registered
        $name = 'attack.' . bin2hex(random_bytes(6));
        stream_filter_register($name, $filter::class);
        $file = fopen('php://memory', 'r+');
        if ($file !== false) {
            stream_filter_append($file, $name);
            fwrite($file, 'x');
        }
    }

    private static function exitInCoroutines(): void
    {
        for ($i = 0; $i < 50; $i++) {
            Async\spawn(static function (): void {
                usleep(1000);
                exit;
            });
        }
        usleep(5000);
    }

    private static function bomb(): void
    {
        $two = static function () use (&$two): void {
            Async\spawn($two);
            Async\spawn($two);
            usleep(100);
        };
        Async\spawn($two);
        sleep(3);
    }

    private static function descriptors(): void
    {
        $kept = [];
        while (($file = @fopen(__FILE__, 'r')) !== false) {
            $kept[] = $file;
        }
        sleep(1);
    }

    /** Nobody opens its other end: the request's time limit ends that. */
    private static function fifo(): void
    {
        $fifo = sys_get_temp_dir() . '/weft-attack-' . bin2hex(random_bytes(6));
        posix_mkfifo($fifo, 0o600);
        try {
            fopen($fifo, random_int(0, 1) === 1 ? 'r' : 'w');
        } finally {
            unlink($fifo);
        }
    }

    /** None of them may act: where one does, it hurts this worker alone. */
    private static function process(): void
    {
        $self = (int) getmypid();
        $calls = [
            static fn () => pcntl_exec('/bin/true'),
            static fn () => pcntl_alarm(1),
            static fn () => pcntl_signal(SIGALRM, SIG_DFL) && pcntl_alarm(1),
            static fn () => posix_kill($self, SIGKILL),
            static fn () => posix_kill($self, SIGSTOP),
            static fn () => posix_kill($self, SIGTERM),
            static fn () => posix_kill(posix_getppid(), SIGALRM),
            static fn () => posix_seteuid(65534),
            static fn () => posix_setuid(65534),
            static fn () => posix_setrlimit(POSIX_RLIMIT_NOFILE, 10, 10),
            static fn () => posix_setsid(),
            static fn () => proc_nice(19),
            static fn () => pcntl_unshare(CLONE_NEWNS),
            static fn () => chroot('/var/empty'),
            static fn () => cli_set_process_title('attacked'),
        ];
        @$calls[array_rand($calls)]();
        usleep(1_200_000);
    }

    /** From a program that it starts, to all that the server has. */
    private static function signals(): void
    {
        $zygote = posix_getppid();
        $stat = (string) file_get_contents("/proc/$zygote/stat");
        $supervisor = (int) explode(' ', (string) strrchr($stat, ')'))[2];
        // SIGHUP and SIGUSR2 reload; to a worker, SIGTERM and SIGQUIT are an order to make room
        $harmless = [SIGHUP, SIGUSR2, SIGKILL, SIGSTOP, SIGCONT, SIGCHLD];
        $all = implode(' ', array_diff(range(1, 64), $harmless));
        $most = implode(' ', array_diff(range(1, 64), [...$harmless, SIGTERM, SIGQUIT]));
        exec("for s in $all; do kill -\$s $supervisor $zygote; done; for s in $most; do kill -\$s " . getmypid() . '; done; sleep 0.5');
    }
}
