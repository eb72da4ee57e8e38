--TEST--
A memory limit that a domain has raised goes with it, at the latest when the memory does
--EXTENSIONS--
weft
--INI--
memory_limit=64M
--SKIPIF--
<?php if (getenv('USE_ZEND_ALLOC') === '0') die('skip it needs a memory limit'); ?>
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

Weft\Isolation\snapshot();
$work = function (string $me): string {
    if ($me === 'a') {
        ini_set('memory_limit', '300M');
        $garbage = new stdClass();
        $garbage->self = $garbage;
        $garbage->text = str_repeat('x', 100 << 20);
    }
    turn();
    return ini_get('memory_limit');
};
in_domains($work);
gc_collect_cycles();
in_domains($work, 'c');
str_repeat('x', 100 << 20);
?>
--EXPECTF--
a: "300M"
b: "64M"
c: "64M"

Fatal error: Allowed memory size of 67108864 bytes exhausted%s
