--TEST--
putenv() in one domain is not seen by another, nor after it
--EXTENSIONS--
weft
--ENV--
WEFT_GIVEN=given
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

putenv('WEFT_BOOT=boot');
Weft\Isolation\snapshot();
$read = fn (): array => array_map(getenv(...), ['WEFT_GIVEN', 'WEFT_BOOT', 'WEFT_NEW']);
in_domains(function (string $me) use ($read) {
    $start = $read();
    putenv("WEFT_GIVEN=$me");
    putenv($me === 'a' ? 'WEFT_BOOT' : 'WEFT_BOOT=b');
    putenv("WEFT_NEW=$me");
    turn();
    $now = $read();
    putenv("WEFT_NEW=$me$me");
    turn();
    return [$start, $now, $read(), exec('echo $WEFT_NEW')];
});
echo json_encode($read()), "\n";
putenv('WEFT_NEW=main');
in_domains(fn () => $read(), 'c');
echo json_encode($read()), "\n";
?>
--EXPECT--
a: [["given","boot",false],["a",false,"a"],["a",false,"aa"],"aa"]
b: [["given","boot",false],["b","b","b"],["b","b","bb"],"bb"]
["given","boot",false]
c: ["given","boot",false]
["given","boot","main"]
