--TEST--
Requests that have lost their turn run one after the other, short ones first, until they have computed for long; beside any number of others they get on
--EXTENSIONS--
weft
--INI--
weft.time_slice=1
--FILE--
<?php
require __DIR__ . '/time_slices.inc';

$cpu = static fn (): int => (int) (1000 * array_sum(array_map(
    static fn (string $which) => getrusage()["ru_$which.tv_sec"] + getrusage()["ru_$which.tv_usec"] / 1e6,
    ['utime', 'stime'],
)));
/** Computes while the process spends so many ms, and notes its turns. */
$compute = static function (string $who, int $ms) use ($cpu): void {
    for ($end = $cpu() + $ms; $cpu() < $end;) {
        if (end(Seen::$log) !== $who) {
            Seen::$log[] = $who;
        }
        for ($i = 0; $i < 200; $i++) {
        }
    }
};
$busy = static function (): void {
    for ($end = hrtime(true) + 20_000_000_000; !isset(Seen::$by['it has computed']); Async\suspend()) {
        if (hrtime(true) > $end) {
            say('it starves');
            return;
        }
    }
};

$case = $argv[1] ?? null;
if ($case === null) {
    foreach (['short', 'long', 'beside others'] as $case) {
        $said = shell_exec(getenv('TEST_PHP_EXECUTABLE') . ' ' . getenv('TEST_PHP_EXTRA_ARGS') . ' ' . escapeshellarg(__FILE__) . ' ' . escapeshellarg($case));
        echo "$case: ", match ($case) {
            'long' => substr_count($said, "a\n") > 10 ? 'take turns' : $said,
            default => strtr(trim($said), ["\n" => ' ']),
        }, "\n";
    }
    return;
}
match ($case) {
    'short' => domains(fn () => $compute('a', 60), fn () => $compute('b', 60)),
    'long' => domains(fn () => $compute('a', 600), fn () => $compute('b', 600)),
    'beside others' => domains(
        function () use ($compute) {
            $compute('a', 5);
            say('it has computed');
        },
        $busy,
        $busy,
    ),
};
?>
--EXPECT--
short: a b a b
long: take turns
beside others: a it has computed
