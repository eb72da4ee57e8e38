--TEST--
Compressed bodies reach the application as what they mean, where that is asked for, and as they are where not
--EXTENSIONS--
weft
zlib
--FILE--
<?php
require __DIR__ . '/server.inc';

$handler = '
    if (isset($_GET["make"])) { echo str_repeat("a=1&b=2&", 500); return; }
    ksort($_SERVER);
    $variables = array_intersect_key($_SERVER, array_flip(["CONTENT_LENGTH", "HTTP_CONTENT_ENCODING", "HTTP_CONTENT_LENGTH", "HTTP_X_AFTER"]));
    $headers = array_values(array_diff(array_keys(getallheaders()), ["Host", "Content-Type"]));
    echo strlen($body = file_get_contents("php://input")), " ", $body === str_repeat("a=1&b=2&", 500) ? "the same" : "not the same", ", ",
        count($_POST), " variables, ", json_encode($variables + ["other headers" => $headers]);
';
$server = new Server($handler, ini: ['weft.http_decompress=auto']);
// brotli and zstd are not among PHP's own: the server makes them
$make = static fn (string $coding): string => $server->connect()
    ->send("GET /?make HTTP/1.1\r\nHost: a\r\nAccept-Encoding: $coding\r\n\r\n")->response()->body;
$post = static function (string $coding, string $body, int $pieces = 0) use (&$server): string {
    $chunks = array_map(static fn (string $piece): string => dechex(strlen($piece)) . "\r\n$piece\r\n", str_split($body, max(1, $pieces)));
    $head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: $coding\r\nContent-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n";

    return $server->connect()->send($head . ($pieces > 0
        ? "Transfer-Encoding: chunked\r\nX-After: x\r\n\r\n" . implode('', $chunks) . "0\r\n\r\n"
        : 'Content-Length: ' . strlen($body) . "\r\nX-After: x\r\n\r\n$body"))->response()->line() . "\n";
};
foreach (['gzip', 'br', 'zstd'] as $coding) {
    $body = $make($coding);
    echo strlen($body) < 200 ? "$coding: " : "not $coding: ", $post($coding, $body), $post($coding, $body, 1);
}
echo $post('x-gzip', gzencode(str_repeat('a=1&b=2&', 200)) . gzencode(str_repeat('a=1&b=2&', 300)));
echo $post('zstd', $make('zstd') . "\x50\x2a\x4d\x18\x03\0\0\0abc");
echo $post('identity', str_repeat('a=1&b=2&', 500));
echo $post('gzip', ''), $post('gzip', gzencode(''), 5);
// after one, the next on the same connection
$body = gzencode(str_repeat('a=1&b=2&', 500));
$client = $server->connect()->send("POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: " . strlen($body) . "\r\n\r\n$body"
    . "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
echo $client->response()->line(), "\n", $client->response()->line(), "\n";
echo $server->stop();

$server = new Server($handler);
echo $post('gzip', $body);
echo $server->stop();
--EXPECTF--
gzip: 200 4000 the same, 2 variables, {"CONTENT_LENGTH":"4000","HTTP_X_AFTER":"x","other headers":["Connection","X-After"]}
200 4000 the same, 2 variables, {"CONTENT_LENGTH":"4000","HTTP_X_AFTER":"x","other headers":["Connection","Transfer-Encoding","X-After"]}
br: 200 4000 the same, 2 variables, {"CONTENT_LENGTH":"4000","HTTP_X_AFTER":"x","other headers":["Connection","X-After"]}
200 4000 the same, 2 variables, {"CONTENT_LENGTH":"4000","HTTP_X_AFTER":"x","other headers":["Connection","Transfer-Encoding","X-After"]}
zstd: 200 4000 the same, 2 variables, {"CONTENT_LENGTH":"4000","HTTP_X_AFTER":"x","other headers":["Connection","X-After"]}
200 4000 the same, 2 variables, {"CONTENT_LENGTH":"4000","HTTP_X_AFTER":"x","other headers":["Connection","Transfer-Encoding","X-After"]}
200 4000 the same, 2 variables, {"CONTENT_LENGTH":"4000","HTTP_X_AFTER":"x","other headers":["Connection","X-After"]}
200 4000 the same, 2 variables, {"CONTENT_LENGTH":"4000","HTTP_X_AFTER":"x","other headers":["Connection","X-After"]}
200 4000 the same, 2 variables, {"CONTENT_LENGTH":"4000","HTTP_CONTENT_ENCODING":"identity","HTTP_CONTENT_LENGTH":"4000","HTTP_X_AFTER":"x","other headers":["Content-Encoding","Connection","Content-Length","X-After"]}
200 0 not the same, 0 variables, {"CONTENT_LENGTH":"0","HTTP_CONTENT_ENCODING":"gzip","HTTP_CONTENT_LENGTH":"0","HTTP_X_AFTER":"x","other headers":["Content-Encoding","Connection","Content-Length","X-After"]}
200 0 not the same, 0 variables, {"CONTENT_LENGTH":"0","HTTP_X_AFTER":"x","other headers":["Connection","Transfer-Encoding","X-After"]}
200 4000 the same, 0 variables, {"CONTENT_LENGTH":"4000","other headers":[]}
200 3 not the same, 0 variables, {"CONTENT_LENGTH":"3","HTTP_CONTENT_LENGTH":"3","other headers":["Content-Length"]}
exit status 0
200 %d not the same, %d variables, {"CONTENT_LENGTH":"%d","HTTP_CONTENT_ENCODING":"gzip","HTTP_CONTENT_LENGTH":"%d","HTTP_X_AFTER":"x","other headers":["Content-Encoding","Connection","Content-Length","X-After"]}
exit status 0
