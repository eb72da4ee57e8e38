--TEST--
Hash contexts of the base, begun and finished: each domain goes on with its own
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

$begun = hash_init('sha256', HASH_HMAC, 'key');
hash_update($begun, 'base');
$finished = hash_init('md5');
hash_final($finished);
Weft\Isolation\snapshot();
in_domains(function (string $me) use ($begun) {
    foreach ([1, 2, 3] as $_) {
        hash_update($begun, $me);
        turn();
    }
    return hash_final($begun) === hash_hmac('sha256', "base$me$me$me", 'key');
});
var_dump(hash_final($begun) === hash_hmac('sha256', 'base', 'key'), Weft\Isolation\stats()['uncovered']);
?>
--EXPECT--
a: true
b: true
bool(true)
array(0) {
}
