--TEST--
A status that can't end an answer is sent as 500, and the log says so
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    isset($_GET["header"]) ? header("Status: {$_GET["status"]}") : (isset($_GET["line"])
        ? header("HTTP/1.1 {$_GET["status"]} Of My Own") : http_response_code((int) $_GET["status"]));
    echo "page";');
$client = $server->connect();
foreach (['', '&header', '&line'] as $how) {
    foreach ([200, 599, 600, 999, 103, 99] as $status) {
        $response = $client->send("GET /page?status=$status$how HTTP/1.1\r\nHost: test\r\n\r\n")->response();
        echo $response->statusLine, ': ', $response->body, "\n";
    }
}
echo $server->stop();
--EXPECT--
HTTP/1.1 200 OK: page
HTTP/1.1 599 Unknown: page
HTTP/1.1 500 Internal Server Error: page
HTTP/1.1 500 Internal Server Error: page
HTTP/1.1 500 Internal Server Error: page
HTTP/1.1 500 Internal Server Error: page
HTTP/1.1 200 OK: page
HTTP/1.1 599 Unknown: page
HTTP/1.1 500 Internal Server Error: page
HTTP/1.1 500 Internal Server Error: page
HTTP/1.1 500 Internal Server Error: page
HTTP/1.1 500 Internal Server Error: page
HTTP/1.1 200 Of My Own: page
HTTP/1.1 599 Of My Own: page
HTTP/1.1 500 Internal Server Error: page
HTTP/1.1 500 Internal Server Error: page
HTTP/1.1 500 Internal Server Error: page
HTTP/1.1 500 Internal Server Error: page
exit status 0
weft: GET /page: the application's status is 600, which can't end an answer; 500 was sent. Use 200 to 599.
weft: GET /page: the application's status is 999, which can't end an answer; 500 was sent. Use 200 to 599.
weft: GET /page: the application's status is 103, which can't end an answer; 500 was sent. Use 200 to 599.
weft: GET /page: the application's status is 99, which can't end an answer; 500 was sent. Use 200 to 599.
weft: GET /page: the application's status is 600, which can't end an answer; 500 was sent. Use 200 to 599.
weft: GET /page: the application's status is 999, which can't end an answer; 500 was sent. Use 200 to 599.
weft: GET /page: the application's status is 103, which can't end an answer; 500 was sent. Use 200 to 599.
weft: GET /page: the application's status is 99, which can't end an answer; 500 was sent. Use 200 to 599.
weft: GET /page: the application's status is 600, which can't end an answer; 500 was sent. Use 200 to 599.
weft: GET /page: the application's status is 999, which can't end an answer; 500 was sent. Use 200 to 599.
weft: GET /page: the application's status is 103, which can't end an answer; 500 was sent. Use 200 to 599.
weft: GET /page: the application's status is 99, which can't end an answer; 500 was sent. Use 200 to 599.
