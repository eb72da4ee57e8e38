--TEST--
weft.test_ticker with weft.stress: a script that never waits loses its turn all the same, and its state with it
--EXTENSIONS--
weft
--INI--
weft.test_coroutine=1
weft.test_ticker=1
weft.test_snapshot=1
weft.stress=5
--FILE--
<?php
final class Sum
{
    public static int $value = 0;
}

function counted(): int
{
    static $calls = 0;
    return ++$calls;
}

$before = Weft\Isolation\stats()['switches'];
for ($i = 1; $i <= 1000; $i++) {
    Sum::$value += $i;
    counted();
}
var_dump(Weft\Isolation\stats()['switches'] - $before > 100, Sum::$value, counted());
?>
--EXPECT--
bool(true)
int(500500)
int(1001)
