--TEST--
A request with many coroutines that are ready has one turn in each round, like its neighbours
--EXTENSIONS--
weft
--FILE--
<?php
/** @var list<string> what the test sees of all domains */
final class Turns
{
    public static array $of = [];
}
Weft\Isolation\share(Turns::class, 'of', 'How the test sees who runs.');
Weft\Isolation\snapshot();

$suspends = static function (string $who, int $times): void {
    for ($i = 0; $i < $times; $i++) {
        Turns::$of[] = $who;
        Async\suspend();
    }
};
$domain = static fn (string $who, int $coroutines) => Async\spawn(static fn () => Weft\Isolation\run(
    static function () use ($who, $coroutines, $suspends) {
        Async\await_all(array_map(static fn () => Async\spawn($suspends, $who, 10), range(1, $coroutines)));
    },
));
Async\await_all([$domain('c', 1), $domain('a', 500), $domain('b', 1), $domain('b', 1)]);

$turns = implode('', Turns::$of);
echo strlen($turns), "\n";
// until the lonely ones have ended; what comes after is the crowd's alone
$shared = substr($turns, strpos($turns, 'a'), strrpos($turns, 'b') - strpos($turns, 'a'));
preg_match_all('/a+/', $shared, $runs);
echo 'the longest run of the crowd beside others: ', max(array_map(strlen(...), $runs[0])), "\n";

// first come, first served within one
$order = [];
foreach (range(1, 5) as $number) {
    $five[] = Async\spawn(static function () use ($number, &$order) {
        for ($i = 0; $i < 3; $i++) {
            $order[] = $number;
            Async\suspend();
        }
    });
}
Async\await_all($five);
echo implode(' ', $order), "\n";
?>
--EXPECT--
5030
the longest run of the crowd beside others: 1
1 2 3 4 5 1 2 3 4 5 1 2 3 4 5
