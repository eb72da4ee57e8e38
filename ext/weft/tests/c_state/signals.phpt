--TEST--
Signal handlers are the domain's: each that has one for a signal gets it, whoever is in place; the rest of the world's stay
--EXTENSIONS--
weft
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

$heard = new ArrayObject();
$log = static function (string $what) use ($heard): void {
    echo $what, "\n";
};
pcntl_signal(SIGUSR2, static fn () => $log('boot hears USR2'));
Weft\Isolation\snapshot();
in_domains(static function (string $me) use ($log): array {
    $before = [pcntl_signal_get_handler(SIGUSR1), is_callable(pcntl_signal_get_handler(SIGUSR2)), pcntl_async_signals()];
    pcntl_async_signals($me !== 'b');
    if ($me !== 'c') {
        pcntl_signal(SIGUSR1, static fn () => $log("$me hears USR1"));
    }
    turn();
    if ($me === 'c') {
        // it has no handler, and does not die of the signal either
        posix_kill(posix_getpid(), SIGUSR1);
    }
    turn();
    $dispatched = pcntl_async_signals() ? null : pcntl_signal_dispatch();
    turn();
    return [$before, $dispatched, is_callable(pcntl_signal_get_handler(SIGUSR1))];
}, 'a', 'b', 'c');
var_dump(pcntl_signal_get_handler(SIGUSR1), pcntl_async_signals());
posix_kill(posix_getpid(), SIGUSR2);
pcntl_signal_dispatch();
// one that waits to be dispatched belongs to the domain as well
in_domains(static function (string $me) use ($log): bool {
    if ($me === 'a') {
        pcntl_signal(SIGUSR1, static fn () => $log('a hears USR1 late'));
        posix_kill(posix_getpid(), SIGUSR1);
    }
    turn();
    if ($me === 'b') {
        pcntl_signal(SIGUSR1, static fn () => $log('b hears what is not for it'));
    }
    pcntl_signal_dispatch();
    turn();
    return true;
});
// handlers run with all signals blocked: not those of others, when one of them waits
in_domains(static function (string $me) use ($log): array {
    pcntl_async_signals(true);
    $blocked = static fn (): int => pcntl_sigprocmask(SIG_UNBLOCK, [SIGWINCH], $old) ? count($old) : -1;
    $inside = null;
    if ($me === 'a') {
        pcntl_signal(SIGUSR1, static function () use (&$inside, $blocked): void {
            turn();
            $inside = $blocked() > 10;
        });
        posix_kill(posix_getpid(), SIGUSR1);
    } else {
        pcntl_sigprocmask(SIG_BLOCK, [SIGHUP]);
    }
    $seen = $blocked();
    turn();
    return [$inside, $seen, $blocked()];
});
pcntl_sigprocmask(SIG_UNBLOCK, [SIGWINCH], $old);
echo count($old), "\n";
// with ticks
declare(ticks=1) {
    in_domains(static function (string $me) use ($log): bool {
        pcntl_signal(SIGUSR1, static fn () => $log('a tick dispatches'));
        posix_kill(posix_getpid(), SIGUSR1);
        $ticked = true;
        return $ticked;
    }, 'a');
}
?>
--EXPECT--
b hears USR1
a hears USR1
a: [[0,true,false],null,true]
b: [[0,true,false],true,true]
c: [[0,true,false],null,false]
int(0)
bool(false)
boot hears USR2
a hears USR1 late
a: true
b: true
a: [true,0,0]
b: [null,1,1]
0
a tick dispatches
a: true
