--TEST--
APCu: what made-up visitors of the warm-up write or take away stays as it was
--EXTENSIONS--
weft
apcu
--INI--
apc.enable_cli=1
--FILE--
<?php
use function Weft\Internal\{quarantine, quarantine_end};

apcu_store(['boot' => 1, 'other' => 2]);
quarantine();
var_dump(apcu_store('mine', 1), apcu_add('mine', 1), apcu_inc('boot', 1, $success), $success, apcu_dec('boot'), apcu_inc('new'));
var_dump(apcu_cas('boot', 1, 5), apcu_delete('boot'), apcu_clear_cache());
echo json_encode([apcu_store(['x' => 1, 5 => 2]), apcu_add(['y' => 1]), apcu_delete(['boot', 'other'])]), "\n";
var_dump(apcu_entry('entry', fn () => 'computed'), apcu_entry('boot', fn () => 'computed'), apcu_fetch('other'));
quarantine_end();
var_dump(apcu_fetch(['boot', 'other', 'mine', 'new', 'x', 'y', 'entry']));
var_dump(apcu_store('mine', 1), apcu_inc('mine'), apcu_delete('mine'), apcu_clear_cache());
?>
--EXPECT--
bool(false)
bool(false)
bool(false)
bool(false)
bool(false)
bool(false)
bool(false)
bool(false)
bool(false)
[{"x":-1,"5":-1},{"y":-1},["boot","other"]]
string(8) "computed"
int(1)
int(2)
array(2) {
  ["boot"]=>
  int(1)
  ["other"]=>
  int(2)
}
bool(true)
int(2)
bool(true)
bool(true)
