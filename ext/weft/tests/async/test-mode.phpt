--TEST--
weft.test_coroutine and its like: a plain script is a coroutine beside one that ticks in another domain, and does not see it
--EXTENSIONS--
weft
--INI--
weft.test_coroutine=1
weft.test_ticker=1
weft.test_snapshot=1
--FILE--
<?php
use function Async\get_coroutines;
use function Weft\Isolation\stats;

final class Settings
{
    public static string $language = 'declared';
}

$before = stats()['switches'];
Settings::$language = 'mine';
usleep(20_000);
var_dump(stats()['switches'] > $before, Settings::$language);
echo count(get_coroutines()), " coroutine\n";

register_shutdown_function(static function (): void {
    usleep(5_000);
    echo "its waits go on at the end\n";
});
echo "the ticker does not keep the script alive, and nobody cancels it\n";
exit(0);
?>
--EXPECT--
bool(true)
string(4) "mine"
1 coroutine
the ticker does not keep the script alive, and nobody cancels it
its waits go on at the end
