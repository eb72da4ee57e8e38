--TEST--
A domain that restores the handlers before finds the boot's previous ones, as if it had booted itself
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

$heard = [];
$handler = static fn (string $name): Closure => static function (int $type, string $text) use ($name): bool {
    $GLOBALS['heard'][] = "$name: $text";
    return true;
};
set_error_handler($handler('first'), E_USER_WARNING);
set_error_handler($handler('second'));
set_exception_handler(fn () => 'first');
set_exception_handler(fn () => 'second');
Weft\Isolation\snapshot();

for ($round = 0; $round < 2; $round++) {
    in_domains(function (string $me) use ($handler) {
        trigger_error("of $me");
        restore_error_handler();
        trigger_error("warning of $me", E_USER_WARNING);
        turn();
        @trigger_error("not for the first, $me", E_USER_NOTICE);
        restore_error_handler();
        $none = set_error_handler($handler("own of $me"));
        trigger_error("$me again");
        restore_exception_handler();
        $exceptions = set_exception_handler(null);
        return [...$GLOBALS['heard'], $none, $exceptions()];
    });
}
trigger_error('main goes on');
restore_error_handler();
trigger_error('main goes on', E_USER_WARNING);
echo json_encode($heard), "\n";
?>
--EXPECT--
a: ["second: of a","first: warning of a","own of a: a again",null,"first"]
b: ["second: of b","first: warning of b","own of b: b again",null,"first"]
a: ["second: of a","first: warning of a","own of a: a again",null,"first"]
b: ["second: of b","first: warning of b","own of b: b again",null,"first"]
["second: main goes on","first: main goes on"]
