--TEST--
What imap keeps between two calls belongs to the request: its errors, and the user who logs in
--EXTENSIONS--
weft
imap
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

/** Whose errors they are: a port names whoever has tried it. */
function ports(array|false $errors): array
{
    return array_values(array_unique(array_map(fn (string $error) => preg_replace('~.*127\.0\.0\.1,(\d+).*~', '$1', $error), $errors ?: [])));
}

@imap_open('{127.0.0.1:9/imap}', 'boot', 'secret', 0, 1);
var_dump(ports(imap_errors()));
Weft\Isolation\snapshot();
in_domains(function (string $me) {
    if ($me !== 'none') {
        @imap_open("{127.0.0.1:$me/imap}", "user $me", 'secret', 0, 1);
    }
    turn();
    $last = ports((array) (imap_last_error() ?: []));
    $all = ports(imap_errors());
    turn();
    if ($me === '3') {
        @imap_open('{127.0.0.1:4/imap}', "left behind", 'secret', 0, 1);
    }
    return [$last, $all, imap_alerts()];
}, '1', '2', 'none', '3');
var_dump(imap_errors());
?>
--EXPECTF--
array(1) {
  [0]=>
  string(1) "9"
}

Notice: Weft\Isolation\run(): Connection failed to 127.0.0.1,4: Connection refused (errflg=2) in %s on line %d
1: [["1"],["1"],false]
2: [["2"],["2"],false]
none: [[],[],false]
3: [["3"],["3"],false]
bool(false)
