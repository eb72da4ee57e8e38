--TEST--
A fatal error while PHP puts its complaints off leaves nothing put off: later requests are told theirs at once
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/../http/server.inc';

// PHP 8.5 puts off what it has to say until it has compiled a file
$file = sys_get_temp_dir() . '/weft-recorded-errors-' . getmypid() . '.php';
file_put_contents($file, '<?php
function optional($a = 1, $b) {}
function broken() { foreach ([1] as $a) { break 2; } }
');
$server = new Server('
    switch ($_GET["do"]) {
        case "broken": include "' . $file . '"; return;
        case "warns": set_error_handler(fn (int $type) => print("heard $type")); echo $undefined; return;
    }
', ini: ['error_reporting=-1']);
foreach (['broken', 'warns', 'broken', 'warns'] as $do) {
    echo "$do: ", $server->get("/?do=$do"), "\n";
}
echo $server->stop();
unlink($file);
?>
--EXPECTF--
broken: 500 
warns: 200 heard 2
broken: 500 
warns: 200 heard 2
exit status 0
%A
