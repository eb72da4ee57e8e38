--TEST--
While one request waits, another runs; each keeps its own state
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    static $note = [];
    $name = $_GET["name"];
    $note[] = "begin $name";
    $GLOBALS["who"] = $name;
    header("X-Name: $name");
    ob_start();
    echo "[$name";
    Async\delay((int) $_GET["ms"]);
    echo " $GLOBALS[who] $_GET[name] ", implode(",", $note), "]";
    fwrite(STDOUT, "end $name\n");
');
$slow = $server->connect()->send("GET /?name=slow&ms=150 HTTP/1.1\r\nHost: test\r\n\r\n");
usleep(30000);
$fast = $server->connect()->send("GET /?name=fast&ms=0 HTTP/1.1\r\nHost: test\r\n\r\n");
foreach ([$slow, $fast] as $client) {
    $response = $client->response();
    echo $response->line(), ' ', $response->headers['x-name'], "\n";
}
echo $server->stop();
--EXPECT--
200 [slow slow slow begin slow] slow
200 [fast fast fast begin fast] fast
exit status 0
end fast
end slow
