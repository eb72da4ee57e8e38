<?php
require __DIR__ . '/in_domains.inc';

set_error_handler(function (int $type, string $text): bool { echo "base handler: $text\n"; return true; });
Weft\Isolation\snapshot();
in_domains(function (string $me) {
    trigger_error("$me uses the base's");
    set_error_handler(function (int $type, string $text) use ($me): bool { echo "handler of $me: $text\n"; return true; });
    set_exception_handler(fn () => print $me);
    error_reporting($me === 'a' ? E_ALL & ~E_USER_NOTICE : E_ALL);
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
