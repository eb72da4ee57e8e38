--TEST--
Error and exception handlers, their stacks, error_reporting and the last error belong to the domain
--EXTENSIONS--
weft
--INI--
error_reporting=30719
display_errors=0
log_errors=0
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

set_error_handler(function (int $type, string $text): bool { echo "base handler: $text\n"; return true; });
Weft\Isolation\snapshot();
in_domains(function (string $me) {
    trigger_error("$me uses the base's");
    set_error_handler(function (int $type, string $text) use ($me): bool { echo "handler of $me: $text\n"; return true; });
    set_exception_handler(fn () => print $me);
    error_reporting($me === 'a' ? 30719 & ~E_USER_NOTICE : 30719);
    turn();
    trigger_error("notice of $me", E_USER_WARNING);
    turn();
    set_error_handler(null);
    @trigger_error("last error of $me");
    turn();
    $last = error_get_last()['message'];
    restore_error_handler();
    trigger_error("again $me", E_USER_WARNING);
    restore_error_handler();
    trigger_error("back $me", E_USER_WARNING);
    return [$last, error_reporting(), ini_get('error_reporting'), set_exception_handler(null) !== null];
});
trigger_error('main');
var_dump(error_get_last(), error_reporting(), set_exception_handler(null));
?>
--EXPECT--
base handler: a uses the base's
base handler: b uses the base's
handler of a: notice of a
handler of b: notice of b
handler of a: again a
base handler: back a
handler of b: again b
base handler: back b
a: ["last error of a",29695,"29695",true]
b: ["last error of b",30719,"30719",true]
base handler: main
NULL
int(30719)
NULL
