--TEST--
usort(), serialize(), unserialize() and exceptions in flight survive switches in the middle
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{spawn, await, delay};

final class Slow
{
    public function __construct(public array $data = [], public ?Slow $same = null)
    {
    }

    public function __serialize(): array
    {
        delay(1);
        return ['data' => $this->data, 'same' => $this->same];
    }

    public function __unserialize(array $values): void
    {
        delay(1);
        [$this->data, $this->same] = [$values['data'], $values['same']];
    }
}

function sorted(int $seed): bool
{
    mt_srand($seed);
    $list = range(1, 12);
    shuffle($list);
    usort($list, function ($a, $b) {
        delay(mt_rand(0, 1));
        return $a <=> $b;
    });
    return $list === range(1, 12);
}

function serialized(int $n): bool
{
    $inner = new Slow([$n]);
    $copy = unserialize(serialize([$inner, new Slow(['outer', $n], $inner), $inner]));
    return $copy[0] === $copy[2] && $copy[1]->same === $copy[0] && $copy[0]->data === [$n];
}

function thrown(int $n): bool
{
    try {
        try {
            throw new RuntimeException("inner $n");
        } finally {
            delay(1);
        }
    } catch (RuntimeException $e) {
        return $e->getMessage() === "inner $n";
    }
}
$tasks = [];
for ($i = 0; $i < 30; $i++) {
    $tasks[] = spawn(sorted(...), $i);
    $tasks[] = spawn(serialized(...), $i);
    $tasks[] = spawn(thrown(...), $i);
}
$right = 0;
foreach ($tasks as $task) {
    $right += await($task) ? 1 : 0;
}
echo "$right of ", count($tasks), "\n";
?>
--EXPECT--
90 of 90
