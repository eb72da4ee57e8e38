--TEST--
Random writes in many domains to pages that are still at times
--EXTENSIONS--
weft
--SKIPIF--
<?php
if (getenv('USE_ZEND_ALLOC') === '0') {
    die("skip PHP's allocator must be in use");
}
?>
--ENV--
WEFT_SCAN_CHECK=1
--INI--
weft.still_pages=1
--FILE--
<?php
require __DIR__ . '/still_pages_random.inc';
?>
--EXPECT--
wrong: 0, left in the base: 0
bool(true)
