--TEST--
Warm: a rehearsal leaves nothing behind but its line
--FILE--
<?php
use function Weft\Internal\rehearse;

$seen = [];
var_dump(rehearse(function () use (&$seen): ?string { $seen[] = 1; echo "not heard\n"; return null; }, 10));
var_dump(rehearse(fn () => 'a reason', 10));
var_dump(rehearse(fn () => throw new Exception('thrown'), 10));
var_dump(rehearse(function (): void { ini_set('memory_limit', '8M'); str_repeat('x', 100_000_000); }, 10));
var_dump(rehearse(function (): void { posix_kill(getmypid(), SIGSEGV); }, 10));
var_dump(rehearse(function (): void { while (true) { usleep(1000); } }, 0.2));
var_dump($seen);
?>
--EXPECTF--
NULL
string(8) "a reason"
string(6) "thrown"
string(%d) "Allowed memory size of %a"
string(34) "it crashed with Segmentation fault"
string(25) "it took longer than 0.2 s"
array(0) {
}
