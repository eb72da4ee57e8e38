--TEST--
$_SERVER has nothing of the request before, whatever that has done to its own
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$handler = '
    foreach (preg_grep("/^(HTTP_X|MARK|BOOT|SCRIPT_NAME|REQUEST_METHOD|QUERY|PHP_AUTH)/", array_keys($_SERVER)) as $name) {
        $shown[] = "$name=$_SERVER[$name]";
    }
    echo implode(" ", $shown);
    switch ($_SERVER["QUERY_STRING"]) {
        case "write": $_SERVER["MARK"] = 1; $_SERVER["SCRIPT_NAME"] = "spoilt"; unset($_SERVER["BOOT"]); break;
        case "refer": $all = &$_SERVER; $one = &$_SERVER["BOOT"]; foreach ($all as &$value) { $value = "spoilt"; } break;
        case "keep": $GLOBALS["kept"] = $_SERVER; break;
        case "kept": echo " ", $GLOBALS["kept"]["QUERY_STRING"] ?? "gone"; break;
    }
';
$boot = '$_SERVER["BOOT"] = "booted"; ';
foreach ([true, false] as $isolation) {
    $server = new Server($handler, ['isolation' => $isolation], before: $boot);
    echo $server->get('/?write', "X-A: 1\r\nX-B: 1\r\nAuthorization: Basic " . base64_encode('me:secret') . "\r\n"), "\n";
    echo $server->get('/?refer', "X-B: 2\r\nX-C: 2\r\n"), "\n";
    echo $server->get('/?keep'), "\n";
    echo $server->get('/?kept', "X-D: 4\r\n"), "\n";
    echo $server->get('/', "X-A: 6\r\n"), "\n";
    echo $server->connect()->send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")->response()->line(), "\n";
    // clients that send alike: the same, others, more, fewer, in another order, twice
    $client = $server->connect();
    $lines = ['X-A: 1', 'X-A: 1', "X-A: 2\r\nX-B: 2", "X-B: 2\r\nX-A: 2", "X-A: 3\r\nX-A: 4\r\nX-B: 5", "X-A: 3\r\nX-B: 5",
        'X-B: ', '', 'X-A: 7', '', "Content-Type: text/plain\r\nX-A: 8", 'X-A: 9'];
    foreach ($lines as $line) {
        $client->send("GET / HTTP/1.1\r\nHost: test\r\n" . ($line === '' ? '' : "$line\r\n") . "\r\n");
        echo preg_replace('/^.* BOOT=booted ?/', '', $client->response()->line()), "\n";
    }
    echo $server->stop();
}
--EXPECT--
200 SCRIPT_NAME=/index.php REQUEST_METHOD=GET QUERY_STRING=write BOOT=booted HTTP_X_A=1 HTTP_X_B=1 PHP_AUTH_USER=me PHP_AUTH_PW=secret
200 SCRIPT_NAME=/index.php REQUEST_METHOD=GET QUERY_STRING=refer BOOT=booted HTTP_X_B=2 HTTP_X_C=2
200 SCRIPT_NAME=/index.php REQUEST_METHOD=GET QUERY_STRING=keep BOOT=booted
200 SCRIPT_NAME=/index.php REQUEST_METHOD=GET QUERY_STRING=kept BOOT=booted HTTP_X_D=4 gone
200 SCRIPT_NAME=/index.php REQUEST_METHOD=GET QUERY_STRING= BOOT=booted HTTP_X_A=6
200 SCRIPT_NAME=/index.php REQUEST_METHOD=POST QUERY_STRING= BOOT=booted
HTTP_X_A=1
HTTP_X_A=1
HTTP_X_A=2 HTTP_X_B=2
HTTP_X_B=2 HTTP_X_A=2
HTTP_X_A=3, 4 HTTP_X_B=5
HTTP_X_A=3 HTTP_X_B=5
HTTP_X_B=

HTTP_X_A=7

HTTP_X_A=8
HTTP_X_A=9
exit status 0
200 SCRIPT_NAME=/index.php REQUEST_METHOD=GET QUERY_STRING=write BOOT=booted HTTP_X_A=1 HTTP_X_B=1 PHP_AUTH_USER=me PHP_AUTH_PW=secret
200 SCRIPT_NAME=/index.php REQUEST_METHOD=GET QUERY_STRING=refer BOOT=booted HTTP_X_B=2 HTTP_X_C=2
200 SCRIPT_NAME=/index.php REQUEST_METHOD=GET QUERY_STRING=keep BOOT=booted
200 SCRIPT_NAME=/index.php REQUEST_METHOD=GET QUERY_STRING=kept BOOT=booted HTTP_X_D=4 keep
200 SCRIPT_NAME=/index.php REQUEST_METHOD=GET QUERY_STRING= BOOT=booted HTTP_X_A=6
200 SCRIPT_NAME=/index.php REQUEST_METHOD=POST QUERY_STRING= BOOT=booted
HTTP_X_A=1
HTTP_X_A=1
HTTP_X_A=2 HTTP_X_B=2
HTTP_X_B=2 HTTP_X_A=2
HTTP_X_A=3, 4 HTTP_X_B=5
HTTP_X_A=3 HTTP_X_B=5
HTTP_X_B=

HTTP_X_A=7

HTTP_X_A=8
HTTP_X_A=9
exit status 0
