--TEST--
The system writes to memory between objects whose pages are still
--EXTENSIONS--
weft
--SKIPIF--
<?php
if (getenv('USE_ZEND_ALLOC') === '0') {
    die("skip PHP's allocator must be in use");
}
if (PHP_DEBUG) {
    die('skip a build for debugging lays more beside each piece, and takes no free ones');
}
?>
--ENV--
WEFT_SCAN_CHECK=1
--INI--
weft.still_pages=1
--FILE--
<?php
require __DIR__ . '/still_pages.inc';
$file = tempnam(sys_get_temp_dir(), 'weft');
file_put_contents($file, str_repeat('0123456789', 100_000));
// every second piece of memory is free again
$all = array_values(array_filter(wide(800), static fn (Wide $object): bool => $object->number % 2 === 0));
Weft\Isolation\snapshot();
var_dump(settle() > 20);
$wrong = request(static function () use ($file): int {
    $in = fopen($file, 'r');
    stream_set_read_buffer($in, 0);
    $wrong = 0;
    $kept = [];
    for ($i = 0; $i < 2000; $i++) {
        // as long as an object, so that it would lie between two
        $text = fread($in, 280);
        $wrong += $text !== substr(str_repeat('0123456789', 30), $i * 280 % 10, 280);
        $kept[] = $text;
    }

    return $wrong;
});
var_dump($wrong, Weft\Isolation\stats()['stillPages'] > 20);
unlink($file);
?>
--EXPECT--
bool(true)
int(0)
bool(true)
