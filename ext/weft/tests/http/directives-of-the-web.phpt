--TEST--
What the command line forces on directives is a web server's, and an application may change it as ever
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    $told = fn () => implode(" ", array_map(fn ($name) => (int) ini_get($name), ["html_errors", "implicit_flush", "output_buffering"]));
    echo $told();
    if (isset($_GET["set"])) {
        ini_set("html_errors", "0");
        ini_set("implicit_flush", "1");
        echo ini_set("output_buffering", "1") === false ? ", " : ", wrongly ", $told();
    }', [], ['html_errors=1', 'output_buffering=0']);
foreach (['/', '/?set', '/'] as $path) {
    echo $server->get($path), "\n";
}
echo $server->stop();
--EXPECT--
200 1 0 0
200 1 0 0, 0 1 0
200 1 0 0
exit status 0
