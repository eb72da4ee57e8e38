--TEST--
An extension that a domain with tables of its own loads is there for that one, and harms nobody afterwards
--EXTENSIONS--
weft
--SKIPIF--
<?php if (!file_exists(ini_get('extension_dir') . '/sysvmsg.so')) die('skip no sysvmsg.so to load'); ?>
--FILE--
<?php
// in a process without the configured extensions, of which it may be one
preg_match('~/\S+/weft\.so~', file_get_contents('/proc/self/maps'), $weft);
$script = escapeshellarg(str_replace('DIRECTORY', __DIR__, <<<'PHP'
    require 'DIRECTORY/../isolation/in_domains.inc';
    Weft\Isolation\snapshot();
    $there = fn (): array => [extension_loaded('sysvmsg'), function_exists('msg_send'), defined('MSG_EAGAIN'), class_exists('SysvMessageQueue')];
    in_domains(function (string $me) use ($there) {
        define('MINE', $me);
        if ($me === 'a') {
            dl('sysvmsg');
        }
        turn();
        return $there();
    });
    in_domains($there, 'c');
    PHP));
passthru(getenv('TEST_PHP_EXECUTABLE') . ' -n -d extension_dir=' . escapeshellarg(ini_get('extension_dir')) . " -d extension=$weft[0] -r $script 2>&1");
?>
--EXPECT--
a: [true,true,true,true]
b: [true,false,false,false]
c: [true,false,false,false]
