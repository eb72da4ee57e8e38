--TEST--
The line for a connection is in the order in which requests have begun, whenever they ask and however often; coroutines of one request, and of none, go as they ask
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=1
weft.pdo_acquire_timeout=60
--FILE--
<?php
require __DIR__ . '/servers.inc';

use function Async\await;
use function Async\spawn;

$waiting = fn (DatabaseServer $server): int => array_sum(array_map(
    fn (string $name, array $pool): int => str_starts_with($name, $server->name) ? $pool['waiting'] : 0,
    array_keys(Weft\Pool::stats()),
    Weft\Pool::stats(),
));

/** What requests tell one another: an object that is nobody's. */
$new = fn (int $value = 0): ArrayObject => new ArrayObject(['value' => $value]);

/** One request has the only connection while others come to stand in line; `meanwhile` returns them. */
$held = function (DatabaseServer $server, Closure $meanwhile) use ($new): void {
    $state = $new();
    $holder = spawn(fn () => Weft\Isolation\run(function () use ($server, $state) {
        $pdo = $server->open();
        $pdo->beginTransaction();
        $state['value'] = 1;
        until(fn () => $state['value'] === 2);
    }));
    until(fn () => $state['value'] === 1);
    $others = $meanwhile();
    $state['value'] = 2;
    array_map(static fn ($one) => await($one), [$holder, ...$others]);
};

Weft\Isolation\snapshot();
on_each_server(function (DatabaseServer $server) use ($waiting, $held, $new) {
    // requests begin as 1, 2, 3 and ask as 3, 2, 1; each has three statements
    $note = new ArrayObject();
    $held($server, function () use ($server, $waiting, $note, $new) {
        $turn = $new();
        $requests = array_map(fn (int $number) => spawn(fn () => Weft\Isolation\run(function () use ($server, $number, $turn, $note) {
            until(fn () => $turn['value'] === $number);
            $pdo = $server->open();
            for ($n = 1; $n <= 3; $n++) {
                $pdo->query('select 1')->fetchAll();
                $note[] = "$number.$n";
            }
        })), [1, 2, 3]);
        foreach ([3, 2, 1] as $already => $number) {
            $turn['value'] = $number;
            until(fn () => $waiting($server) === $already + 1);
        }
        return $requests;
    });
    echo implode(' ', (array) $note), "\n";

    // coroutines of one request, and of no request, go as they ask
    foreach ([fn (Closure $work) => Weft\Isolation\run($work), fn (Closure $work) => $work()] as $run) {
        $note = new ArrayObject();
        $held($server, function () use ($server, $waiting, $note, $run) {
            $request = spawn(fn () => $run(function () use ($server, $note) {
                array_map(static fn ($one) => await($one), array_map(fn (int $number) => spawn(function () use ($server, $note, $number) {
                    $server->open()->query('select 1')->fetchAll();
                    $note[] = $number;
                }), range(1, 4)));
            }));
            until(fn () => $waiting($server) === 4);
            return [$request];
        });
        echo implode(' ', (array) $note), "\n";
    }
});
?>
--EXPECT--
-- pgsql
1.1 1.2 1.3 2.1 2.2 2.3 3.1 3.2 3.3
1 2 3 4
1 2 3 4
-- mysql
1.1 1.2 1.3 2.1 2.2 2.3 3.1 3.2 3.3
1 2 3 4
1 2 3 4
