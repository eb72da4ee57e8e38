--TEST--
What putenv() has set is freed, though look-ups on threads may read it: memory does not grow with values
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

$pages = fn (): int => (int) explode(' ', file_get_contents('/proc/self/statm'))[1];
putenv('WEFT_BOOT=boot');
Weft\Isolation\snapshot();

$work = function (string $me): array {
    $wrong = 0;
    for ($i = 0; $i < 300; $i++) {
        $value = str_pad("$me$i", 20_000, '.');
        putenv("WEFT_VALUE=$value");
        putenv("WEFT_$me$i=$me");
        if ($i % 10 === 0) {
            gethostbyname('localhost');
        }
        turn();
        $wrong += (int) (getenv('WEFT_VALUE') !== $value || getenv("WEFT_$me$i") !== $me);
        putenv("WEFT_$me$i");
        $wrong += (int) (getenv("WEFT_$me$i") !== false || getenv('WEFT_BOOT') !== 'boot');
    }
    return [$wrong, array_key_exists('WEFT_VALUE', getenv())];
};
in_domains($work);
$before = $pages();
in_domains($work, 'c', 'd');
// AddressSanitizer keeps what is freed for a while, to find who reads it.
$sanitizer = getenv('USE_ZEND_ALLOC') === '0';
echo 'grown by ', $sanitizer || ($pages() - $before) * 4 < 4_000 ? 'little' : 'much', "\n";
echo json_encode([getenv('WEFT_VALUE'), getenv('WEFT_c7'), getenv('WEFT_BOOT'), exec('echo $WEFT_BOOT')]), "\n";
foreach (['', '=x'] as $nothing) {
    try {
        putenv($nothing);
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}
?>
--EXPECT--
a: [0,true]
b: [0,true]
c: [0,true]
d: [0,true]
grown by little
[false,false,"boot","boot"]
putenv(): Argument #1 ($assignment) must have a valid syntax
putenv(): Argument #1 ($assignment) must have a valid syntax
