--TEST--
Warm: classes and functions that a warm-up has loaded are slots of the base as others are
--FILE--
<?php
require __DIR__ . '/warm.inc';

spl_autoload_register(function (string $class): void {
    eval('class Late { public static array $seen = []; public static ?string $last = "declared"; }
        function late(): int { static $calls = 0; return ++$calls; }');
});
Weft\Isolation\snapshot();
show(warm(function (string $who): void {
    Late::$seen['cached'] = new stdClass();
    Late::$last = $who;
    late();
}));
var_dump(Late::$last, count(Late::$seen), late());
Weft\Isolation\run(function (): void {
    Late::$last = 'private';
    Late::$seen['cached']->changed = true;
    late();
});
var_dump(Late::$last, Late::$seen, late());
?>
--EXPECTF--
adopted Late::$seen[cached]
adopted late()::$calls
restored Late::$last: different strings
string(8) "declared"
int(1)
int(2)
string(8) "declared"
array(1) {
  ["cached"]=>
  object(stdClass)#%d (0) {
  }
}
int(3)
