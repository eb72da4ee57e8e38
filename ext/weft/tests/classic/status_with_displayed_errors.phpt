--TEST--
With display_errors a fatal error or an exception leaves the status as it is, as under PHP-FPM; without, it is 500. A script and a callable
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

const ENDS = [
    'exception' => 'throw new Exception("ended");',
    'error' => 'no_such_function();',
    'user error' => 'trigger_error("ended", E_USER_ERROR);',
    'memory' => 'str_repeat("x", 100 << 20);',
    'compile error' => 'eval("function twice() {} function twice() {}");',
    'parse error' => 'eval("no code");',
    'in a coroutine' => 'Async\spawn(function () { trigger_error("ended", E_USER_ERROR); }); usleep(20_000_000);',
];
$files = [];
$code = 'ini_set("display_errors", $_GET["display"]); switch ($_GET["end"]) {';
foreach (array_values(ENDS) as $i => $end) {
    $files["$i.php"] = 'ini_set("display_errors", $_GET["display"]); ' . $end;
    $code .= "case '$i': $end return;";
}
$files['file.php'] = 'function twice() {} function twice() {}';
$files['parse.php'] = 'no code';
$ini = ['memory_limit=32M', 'html_errors=0', 'error_reporting=E_ALL'];
$site = new Site($files, $ini, config: ['memory_share' => 0]);
$server = new Server("$code }", ['memory_share' => 0], $ini);
foreach (array_keys(ENDS) as $i => $end) {
    echo str_pad("$end:", 16);
    foreach (['0', '1'] as $display) {
        foreach ([$site->get("/$i.php?display=$display"), $server->get("/?end=$i&display=$display")] as $line) {
            echo substr($line, 0, 3), strlen($line) > 4 ? ' with text  ' : ' empty      ';
        }
    }
    echo "\n";
}
echo substr($site->get('/file.php'), 0, 3), ' ', substr($site->get('/parse.php'), 0, 3), "\n";
$site->stop();
$server->stop();
?>
--EXPECT--
exception:      500 empty      500 empty      200 with text  200 with text  
error:          500 empty      500 empty      200 with text  200 with text  
user error:     500 empty      500 empty      200 with text  200 with text  
memory:         500 empty      500 empty      200 with text  200 with text  
compile error:  500 empty      500 empty      200 with text  200 with text  
parse error:    500 empty      500 empty      200 with text  200 with text  
in a coroutine: 500 empty      500 empty      200 with text  200 with text  
500 500
