--TEST--
Every test that the sources and the documentation name for a piece of state exists
--EXTENSIONS--
weft
--FILE--
<?php
$root = dirname(__DIR__, 4);
$sources = [...glob(
    "$root/ext/weft/src/{globals/weft_{c_,spans_}*,domain/weft_{c_files,stream_contexts}}.c",
    GLOB_BRACE,
), ...glob("$root/ext/weft/src/coroutine/weft_{engine_clean.h,never_left.c}", GLOB_BRACE),
    "$root/docs/internals/engine-state.md"];
$named = [];
foreach ($sources as $source) {
    preg_match_all('~[a-z0-9_-]+/[a-z0-9_-]+\.phpt~', file_get_contents($source), $matches);
    foreach ($matches[0] as $test) {
        $named[$test] = true;
        if (!is_file("$root/ext/weft/tests/$test")) {
            echo basename($source), ' names ', $test, ", which does not exist\n";
        }
    }
}
foreach (glob("$root/ext/weft/tests/{c_state,engine_state,locks}/*.phpt", GLOB_BRACE) as $file) {
    $test = basename(dirname($file)) . '/' . basename($file);
    if (!isset($named[$test]) && $file !== __DIR__ . '/every_test_exists.phpt') {
        echo $test, " is named nowhere\n";
    }
}
var_dump(count($named) > 30);
?>
--EXPECT--
bool(true)
