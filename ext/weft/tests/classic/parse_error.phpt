--TEST--
Classic mode: a parse error is told as display_errors says, and neighbours that wait in the middle don't notice
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$waits = Site::meet('a', 3) . 'while (!file_exists($_SERVER["DOCUMENT_ROOT"] . "/go")) { usleep(1000); } ';
$site = new Site([
    'index.php' => 'class Mine { public static $who; } Mine::$who = $_GET["who"]; function whose() { return Mine::$who; }' . $waits . 'echo whose(), " goes on";',
    'includes.php' => 'function whose() { return "I"; } ' . $waits . 'try { include "parse.php"; } catch (ParseError $e) { echo whose(), " caught: ", $e->getMessage(); }',
    'parse.php' => 'function whose() {} class Mine {} echo 1 +;',
    'shown/.user.ini' => "display_errors=1\nhtml_errors=0\n",
    'shown/parse.php' => 'echo 1 +;',
], ['user_ini.filename=.user.ini']);
$clients = array_map($site->begin(...), ['/?who=1', '/includes.php?who=2', '/?who=3']);
while (count(glob("$site->root/at-a-*")) < 3) {
    usleep(1000);
}
foreach (['parse.php', 'shown/parse.php', 'parse.php'] as $path) {
    echo preg_replace('~ in /.*~', '', $site->get("/$path")), "\n";
}
$site->write('go', '');
foreach ($clients as $client) {
    echo $client->response()->line(), "\n";
}
echo preg_replace('/ in .*/', '', $site->stop());
?>
--EXPECT--
500 
200 
Parse error: syntax error, unexpected token ";"

500 
200 1 goes on
200 I caught: syntax error, unexpected token ";"
200 3 goes on
exit status 0
PHP Parse error:  syntax error, unexpected token ";"
PHP Parse error:  syntax error, unexpected token ";"
PHP Parse error:  syntax error, unexpected token ";"
