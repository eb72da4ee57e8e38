--TEST--
The tables of a domain that is gone are freed when nothing needs them, whatever else is held for ever
--EXTENSIONS--
weft
--INI--
opcache.enable_cli=0
--SKIPIF--
<?php if (getenv('USE_ZEND_ALLOC') === '0') die("skip it counts bytes of PHP's allocator"); ?>
--FILE--
<?php
use function Weft\Isolation\run;

function outlives(int $n): object
{
    return run(static function () use ($n): object {
        eval("class Own { public \$n = $n; }");
        return new Own();
    });
}
Weft\Isolation\snapshot();
$objects = array_map(outlives(...), range(1, 20));
$held = outlives(21);
$before = memory_get_usage();
$objects = [];
for ($i = 0; $i < 50; $i++) {
    run(static fn () => define('LOOKS', true));
}
// an arena of 64 KB for each
var_dump($held->n, $before - memory_get_usage() > 1_000_000);
?>
--EXPECT--
int(21)
bool(true)
