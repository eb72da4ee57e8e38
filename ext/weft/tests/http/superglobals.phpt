--TEST--
The superglobals are each request's own, and as under PHP-FPM
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    if (isset($_GET["mark"])) { $_SERVER["MARK"] = $_GET["mark"]; $_ENV["MARK"] = $_POST["MARK"] = 1; return; }
    $wanted = ["REQUEST_METHOD", "REQUEST_URI", "QUERY_STRING", "SCRIPT_NAME", "SCRIPT_FILENAME", "DOCUMENT_ROOT", "PHP_SELF",
        "SERVER_PROTOCOL", "SERVER_NAME", "SERVER_ADDR", "REMOTE_ADDR", "GATEWAY_INTERFACE", "HTTP_HOST", "HTTP_X_TWICE",
        "HTTP_COOKIE", "HTTP_PROXY", "HTTP_X_UNDER_SCORE", "CONTENT_TYPE", "CONTENT_LENGTH", "HTTPS", "MARK", "BOOT", "argv",
        "PHP_AUTH_USER", "PHP_AUTH_PW"];
    foreach ($wanted as $name) { echo $name, "=", $_SERVER[$name] ?? "-", "\n"; }
    echo json_encode([$_GET, $_POST, $_COOKIE, $_REQUEST, $_ENV["MARK"] ?? null, getenv("HTTP_HOST"), getenv("HTTP_PROXY")]), "\n";
    echo abs($_SERVER["REQUEST_TIME_FLOAT"] - microtime(true)) < 5 ? "now" : "then", " ", (int) $_SERVER["REMOTE_PORT"] > 0 ? "port" : "", "\n";
    echo json_encode(getallheaders()), "\n", php_sapi_name(), " ", constant("PHP_" . "SAPI"), "\n";
', ['document_root' => '/srv/app/public/'], [
    'register_argc_argv=0',
    'request_order=GP',
    'variables_order=GPCS',
], before: '$_SERVER["BOOT"] = "booted"; putenv("HTTP_PROXY=env"); ');
$server->get('/?mark=1');
echo $server->connect()->send("POST http://[::1]:81/a/b?c[]=d&e HTTP/1.1\r\nHost: other\r\nX-Twice: 1\r\nX-Twice: 2\r\nX-Under_Score: 1\r\n"
    . "Proxy: evil\r\nCookie: k=v\r\nCookie: l=w%20x\r\nAuthorization: Basic " . base64_encode('me:secret') . "\r\n"
    . "Content-Type: application/x-www-form-urlencoded; charset=utf-8\r\nContent-Length: 3\r\n\r\nf=g")->response()->body;
echo $server->stop();
--EXPECT--
REQUEST_METHOD=POST
REQUEST_URI=/a/b?c[]=d&e
QUERY_STRING=c[]=d&e
SCRIPT_NAME=/index.php
SCRIPT_FILENAME=/srv/app/public/index.php
DOCUMENT_ROOT=/srv/app/public
PHP_SELF=/index.php
SERVER_PROTOCOL=HTTP/1.1
SERVER_NAME=[::1]
SERVER_ADDR=127.0.0.1
REMOTE_ADDR=127.0.0.1
GATEWAY_INTERFACE=CGI/1.1
HTTP_HOST=[::1]:81
HTTP_X_TWICE=1, 2
HTTP_COOKIE=k=v; l=w%20x
HTTP_PROXY=-
HTTP_X_UNDER_SCORE=-
CONTENT_TYPE=application/x-www-form-urlencoded; charset=utf-8
CONTENT_LENGTH=3
HTTPS=-
MARK=-
BOOT=booted
argv=-
PHP_AUTH_USER=me
PHP_AUTH_PW=secret
[{"c":["d"],"e":""},{"f":"g"},{"k":"v","l":"w x"},{"c":["d"],"e":"","f":"g"},null,"[::1]:81","env"]
now port
{"Host":"other","X-Twice":"1, 2","Cookie":"k=v; l=w%20x","Authorization":"Basic bWU6c2VjcmV0","Content-Type":"application\/x-www-form-urlencoded; charset=utf-8","Content-Length":"3"}
weft weft
exit status 0
