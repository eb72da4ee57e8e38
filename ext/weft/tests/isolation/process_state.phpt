--TEST--
Time zone, locale, ini directives, umask, working directory, encodings, libxml errors, strtok, random seeds
--EXTENSIONS--
weft
mbstring
libxml
--INI--
date.timezone=UTC
include_path=base
precision=14
memory_limit=256M
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

ini_set('precision', 10);
umask(022);
$base = getcwd();
Weft\Isolation\snapshot();
$read = fn (): array => [
    date_default_timezone_get(),
    setlocale(LC_TIME, 0),
    ini_get('precision'),
    ini_get('memory_limit'),
    (string) (1 / 3),
    sprintf('%o', umask()),
    getcwd() === $base ? 'base' : getcwd(),
    mb_internal_encoding(),
    mb_substitute_character(),
    mb_detect_order(),
    libxml_use_internal_errors(),
    get_include_path(),
];
in_domains(function (string $me) use ($read) {
    $start = $read();
    $a = $me === 'a';
    date_default_timezone_set($a ? 'Asia/Tokyo' : 'Europe/Paris');
    setlocale(LC_TIME, $a ? 'C.UTF-8' : 'C');
    ini_set('precision', $a ? 3 : 5);
    ini_set('memory_limit', $a ? '300M' : '400M');
    umask($a ? 077 : 007);
    chdir($a ? '/tmp' : '/');
    mb_internal_encoding($a ? 'ISO-8859-1' : 'EUC-JP');
    mb_substitute_character($a ? 0x21 : 0x22);
    mb_detect_order($a ? ['ASCII'] : ['UTF-8', 'SJIS']);
    libxml_use_internal_errors($a);
    @simplexml_load_string("<$me>");
    set_include_path("/$me");
    turn();
    $token = strtok("$me.1.$me", '.');
    mt_srand(ord($me));
    turn();
    $token .= strtok('.');
    $random = mt_rand();
    turn();
    $token .= strtok('.');
    $random2 = mt_rand();
    mt_srand(ord($me));
    return [$start, $read(), $token, $random === mt_rand() && $random2 === mt_rand(), count(libxml_get_errors())];
});
echo json_encode($read(), JSON_UNESCAPED_SLASHES), "\n";
?>
--EXPECT--
a: [["UTC","C","10","256M","0.3333333333","22","base","UTF-8",63,["ASCII","UTF-8"],false,"base"],["Asia/Tokyo","C.UTF-8","3","300M","0.333","77","/tmp","ISO-8859-1",33,["ASCII"],true,"/a"],"a1a",true,1]
b: [["UTC","C","10","256M","0.3333333333","22","base","UTF-8",63,["ASCII","UTF-8"],false,"base"],["Europe/Paris","C","5","400M","0.33333","7","/","EUC-JP",34,["UTF-8","SJIS"],false,"/b"],"b1b",true,0]
["UTC","C","10","256M","0.3333333333","22","base","UTF-8",63,["ASCII","UTF-8"],false,"base"]
