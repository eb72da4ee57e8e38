--TEST--
More variables than max_input_vars, or nested deeper than allowed: a warning in the log, the rest is dropped
--EXTENSIONS--
weft
--INI--
max_input_vars=1000
max_input_nesting_level=64
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('echo count($_GET), " ", count($_COOKIE), " ", count($_POST);',
    ini: ['max_input_vars=1000', 'max_input_nesting_level=64']);
$many = fn (string $separator) => implode($separator, array_map(fn ($i) => "v$i=1", range(1, 1001)));
echo $server->get('/?' . $many('&')), "\n";
echo $server->get('/', 'Cookie: ' . $many(';') . "\r\n"), "\n";
echo $server->get('/?a' . str_repeat('[a]', 100) . '=1'), "\n";
// PHP counts a form's variables after it has added each, so one more gets in
$form = $many('&');
echo $server->connect()->send("POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    . 'Content-Length: ' . strlen($form) . "\r\n\r\n$form")->response()->line(), "\n";
echo substr_count($server->stop(), 'Input variables exceeded 1000'), " warnings\n";
?>
--EXPECT--
200 1000 0 0
200 0 1000 0
200 0 0 0
200 0 0 1001
3 warnings
