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
