--TEST--
pcntl_fork() in a handler: the child ends with its request and gives no answer of its own
--EXTENSIONS--
weft
pcntl
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    $pid = pcntl_fork();
    if ($pid === 0) {
        echo "child";
        if (isset($_GET["exit"])) { exit(7); }
        return;
    }
    pcntl_waitpid($pid, $status);
    echo "child ended with ", pcntl_wexitstatus($status);
');
$client = $server->connect();
foreach (['/?exit', '/', '/?exit'] as $path) {
    echo $client->send("GET $path HTTP/1.1\r\nHost: a\r\n\r\n")->response()->line(), "\n";
}
echo $server->stop();
?>
--EXPECT--
200 child ended with 7
200 child ended with 0
200 child ended with 7
exit status 0
