--TEST--
Warm: with "whole" a new object of whose array an element differs is not adopted; empty WeakMaps are equal
--FILE--
<?php
require __DIR__ . '/warm.inc';

use function Weft\Internal\{adopt, cool, record};
use function Weft\Isolation\{run, snapshot};

final class Chain
{
    public array $drivers = [];
}
final class Logger
{
    public WeakMap $depth;

    public function __construct(?object $key)
    {
        $this->depth = new WeakMap();
        $key && $this->depth[$key] = 1;
    }
}
final class Services
{
    public static array $made = [];
}
final class Key
{
    public static ?Key $one = null;
}
Key::$one = new Key();

$visit = static function (string $name): void {
    $chain = new Chain();
    $chain->drivers['same'] = 'one of both';
    $chain->drivers['own'] = "that of $name";
    Services::$made = ['chain' => $chain, 'empty' => new Logger(null), 'used' => new Logger(Key::$one)];
};
snapshot();
foreach ([false, true] as $whole) {
    $report = adopt(record(static fn () => $visit('ann')), record(static fn () => $visit('bob')), whole: $whole);
    echo $whole ? 'whole' : 'in parts', ': ', implode(', ', array_keys(Services::$made)), ' ', json_encode(Services::$made['chain']->drivers ?? null), "\n";
    if (!$whole) {
        cool();
    }
}
run(static function (): void {
    Services::$made['empty']->depth[Key::$one] = 1;
    echo count(Services::$made['empty']->depth), "\n";
});
run(static function (): void {
    echo count(Services::$made['empty']->depth), "\n";
});
?>
--EXPECT--
in parts: chain, empty {"same":"one of both"}
whole: empty null
1
0
