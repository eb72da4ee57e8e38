--TEST--
Requests that have lost their turn run one after the other until they have computed for long, and get on beside any number of others
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
    foreach (['short', 'long', 'long beside short', 'beside others'] as $case) {
        $said = shell_exec(getenv('TEST_PHP_EXECUTABLE') . ' ' . getenv('TEST_PHP_EXTRA_ARGS') . ' ' . escapeshellarg(__FILE__) . ' ' . escapeshellarg($case));
        echo "$case: ", match ($case) {
            'long beside short' => strpos($said, 'it has computed') < strrpos($said, 'short') ? 'has slices' : "waits for all: $said",
            'long' => substr_count($said, "a\n") > 10 ? 'take turns' : $said,
            default => strtr(trim($said), ["\n" => ' ']),
        }, "\n";
    }
    return;
}
match ($case) {
    'short' => domains(fn () => $compute('a', 60), fn () => $compute('b', 60)),
    'long' => domains(fn () => $compute('a', 600), fn () => $compute('b', 600)),
    'long beside short' => domains(
        function () use ($compute) {
            $compute('long', 260);
            say('it is long');
            $compute('long', 3);
            say('it has computed');
        },
        ...array_fill(0, 4, function () use ($compute) {
            while (!isset(Seen::$by['it is long'])) {
                usleep(1000);
            }
            $compute('short', 150);
        }),
    ),
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
long beside short: has slices
beside others: a it has computed
