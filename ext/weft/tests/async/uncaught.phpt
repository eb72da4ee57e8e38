--TEST--
An exception that nobody awaits is reported with its trace and where its task was spawned; an awaited one is not
--EXTENSIONS--
weft
--INI--
html_errors=0
--FILE--
<?php
use function Async\{spawn, await, suspend};

function fails(string $why): never
{
    throw new LogicException($why);
}
spawn('fails', 'nobody awaits me');
$seen = spawn('fails', 'awaited');
try {
    await($seen);
} catch (LogicException $e) {
    echo "caught: {$e->getMessage()}\n";
}
unset($seen);
$looked = spawn('fails', 'looked at');
suspend();
suspend();
echo $looked->getException()->getMessage(), "\n";
unset($looked);
echo "done\n";
?>
--EXPECTF--
Warning: Uncaught LogicException: nobody awaits me in %suncaught.php:6
Stack trace:
#0 [internal function]: fails('nobody awaits m...')
#1 {main}
  in coroutine #2, spawned in %suncaught.php on line 8
caught: awaited
looked at
done
