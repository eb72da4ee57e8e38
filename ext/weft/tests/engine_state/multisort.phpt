--TEST--
array_multisort(): coroutines do not interleave in it, and a wait in it blocks
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/interleave.inc';

final class Text
{
    public function __construct(private readonly string $text)
    {
    }

    public function __toString(): string
    {
        usleep(500);
        return $this->text;
    }
}
$ticks = 0;
Async\spawn(function () use (&$ticks) {
    for (; $ticks < 1000; $ticks++) {
        usleep(200);
    }
});
interleave('array_multisort', function (int $me) use (&$ticks): bool {
    usleep(100 * $me);
    $texts = [new Text("b$me"), new Text("c$me"), new Text("a$me")];
    $numbers = [$me, 2, 3];
    $before = $ticks;
    if ($me % 2) {
        array_multisort($texts, SORT_STRING, SORT_DESC, $numbers);
        $right = ["c$me", "b$me", "a$me"];
    } else {
        array_multisort($texts, SORT_STRING, $numbers, SORT_NUMERIC);
        $right = ["a$me", "b$me", "c$me"];
    }
    return $ticks === $before && array_map(strval(...), $texts) === $right;
});
exit;
?>
--EXPECT--
array_multisort: right
