--TEST--
exit() ends its own request, and what it printed is sent; shutdown functions and destructors print too
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    $last = new Last;
    register_shutdown_function(function () { echo "shutdown "; });
    echo "begin ";
    if (isset($_GET["exit"])) { exit("exit "); }
    echo "end ";
', before: 'class Last { function __destruct() { echo "destructor "; } } ');
$client = $server->connect();
foreach (['/?exit', '/', '/?exit'] as $path) {
    echo $client->send("GET $path HTTP/1.1\r\nHost: a\r\n\r\n")->response()->line(), "\n";
}
echo $server->stop();
--EXPECT--
200 begin exit destructor shutdown 
200 begin end destructor shutdown 
200 begin exit destructor shutdown 
exit status 0
