--TEST--
State in C whose place can't be verified is told among what requests share, and left alone
--EXTENSIONS--
weft
posix
--INI--
disable_functions=posix_get_last_error,spl_autoload_functions
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

Weft\Isolation\snapshot();
echo json_encode(Weft\Isolation\stats()['uncovered']), "\n";
foreach (Weft\Isolation\uncovered() as $one) {
    echo "$one[class]: $one[path]: $one[reason]\n";
}
in_domains(function (string $me) {
    if ($me === 'a') {
        posix_kill(99999999, 0);
    }
    turn();
    return posix_errno() !== 0;
});
?>
--EXPECT--
{"extension posix":1,"extension spl":1}
extension posix: {in C}: the last error: where this PHP keeps that could not be verified, so requests share it
extension spl: {in C}: the autoloaders: where this PHP keeps that could not be verified, so requests share it
a: true
b: true
