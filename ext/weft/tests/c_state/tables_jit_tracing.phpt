--TEST--
What a domain declares is its own, with the tracing JIT
--EXTENSIONS--
weft
--INI--
opcache.enable=1
opcache.enable_cli=1
opcache.jit_buffer_size=16M
opcache.jit=tracing
opcache.jit_hot_func=2
opcache.jit_hot_loop=2
opcache.jit_hot_return=2
opcache.jit_hot_side_exit=2
--SKIPIF--
<?php if (!function_exists('opcache_get_status')) die('skip OPcache is not loaded'); ?>
--FILE--
<?php
require __DIR__ . '/tables.inc';
?>
--EXPECT_EXTERNAL--
tables.txt
