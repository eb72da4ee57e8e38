--TEST--
mb_ereg_search(), mb_regex_encoding() and mb_regex_set_options() keep their state for each domain
--EXTENSIONS--
weft
mbstring
--SKIPIF--
<?php if (!function_exists('mb_ereg')) die('skip mbstring has no regular expressions'); ?>
--INI--
error_reporting=24575
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

mb_regex_encoding('UTF-8');
Weft\Isolation\snapshot();
in_domains(function (string $me) {
    $start = [mb_regex_encoding(), mb_regex_set_options()];
    mb_regex_encoding($me === 'a' ? 'EUC-JP' : 'ISO-8859-1');
    mb_regex_set_options($me === 'a' ? 'ix' : 'm');
    mb_ereg_search_init("$me-1 $me-2 $me-3", "$me-[0-9]");
    $found = [];
    while ($match = mb_ereg_search_regs()) {
        $found[] = $match[0];
        turn();
    }
    return [$start, $found, mb_regex_encoding(), mb_regex_set_options()];
});
echo mb_regex_encoding(), ' ', mb_regex_set_options(), "\n";
?>
--EXPECTF--
a: [["UTF-8","%s"],["a-1","a-2","a-3"],"EUC-JP","ix%s"]
b: [["UTF-8","%s"],["b-1","b-2","b-3"],"ISO-8859-1","m%s"]
UTF-8 %s
