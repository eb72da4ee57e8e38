--TEST--
Every function that the list of what shapes a handle names exists where its module does
--EXTENSIONS--
weft
--FILE--
<?php
$source = file_get_contents(dirname(__DIR__, 4) . '/ext/weft/src/handles/weft_handle_classes.c');
preg_match_all('~^\t\{"(\w+)", (?:"(\w+)"|NULL), "(\w+)", WEFT_SHAPES_~m', $source, $rows, PREG_SET_ORDER);
var_dump(count($rows) > 60 && count($rows) === preg_match_all('~, WEFT_SHAPES_\w+\},~', $source));
$disabled = array_map(trim(...), explode(',', (string) ini_get('disable_functions')));
$since = ['pg_set_error_context_visibility' => 80300];
foreach ($rows as [, $module, $class, $function]) {
    if ($function !== strtolower($function)) {
        echo $function, " is not in lower case\n";
    }
    if (extension_loaded($module) && PHP_VERSION_ID >= ($since[$function] ?? 0)
        && !($class === '' && in_array($function, $disabled, true))
        && !($class === '' ? function_exists($function) : method_exists($class, $function))) {
        echo $module, ': ', ltrim("$class::", ':'), $function, "() does not exist\n";
    }
}
?>
--EXPECT--
bool(true)
