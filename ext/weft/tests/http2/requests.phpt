--TEST--
HTTP/2: requests pass the checks of HTTP/1.1's and look like them to the application; HTTP/1.1 is spoken beside it
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/frames.inc';

$server = new Server(<<<'PHP'
    $of = $_SERVER;
    echo "$of[REQUEST_METHOD] $of[REQUEST_URI] $of[SERVER_PROTOCOL] $of[HTTP_HOST] ", $of['HTTP_COOKIE'] ?? '-', ' ',
        json_encode($_COOKIE), ' ', $of['CONTENT_LENGTH'] ?? '-', ' ', file_get_contents('php://input');
    PHP, ['max_request_line' => 100, 'max_header_bytes' => 1000, 'max_header_count' => 10], ['post_max_size=100']);
$client = new H2Client($server);
$id = -1;
$ask = function (string $what, string $block, string ...$data) use ($client, &$id): void {
    $id += 2;
    $client->send(H2::headers($id, $block, $data ? H2::END_HEADERS : 5));
    foreach ($data as $i => $piece) {
        $client->send(H2::data($id, $piece, $i === array_key_last($data) ? 1 : 0));
    }
    echo "$what: ";
    do {
        do { // who is answered early is reset, perhaps when the next one has begun
            $words = $client->next();
        } while (preg_match('/^(\d+): /', $words, $of) && (int) $of[1] !== $id);
        echo preg_replace('/^\d+: /', '', $words), ' ';
    } while (!preg_match('/end|RST|GOAWAY|closed/', $words));
    echo "\n";
};

$ask('GET', H2::request());
$ask('cookies in crumbs', H2::request([['cookie', 'a=1'], ['cookie', 'b=2'], ['cookie', 'c=3']]));
$ask('a host instead', H2::field(':method', 'GET') . H2::field(':scheme', 'http') . H2::field(':path', '/') . H2::field('host', 'other'));
$ask('both, equal', H2::request(['host' => 'TEST']));
$ask('both, different', H2::request(['host' => 'other']));
$ask('no host', H2::field(':method', 'GET') . H2::field(':scheme', 'http') . H2::field(':path', '/'));
$ask('no host that could be', H2::request([':authority' => 'a b']));
$ask('another scheme', H2::request([':scheme' => 'ftp']));
$ask('an unknown method', H2::request([], 'FROBNICATE'));
$ask('a method with a space', H2::request([], 'GET /x HTTP/1.1 POST'));
$ask('a path with a space', H2::request([], 'GET', '/a b'));
$ask('a path with CR LF', H2::request([], 'GET', "/ HTTP/1.1\r\nx: y"));
$ask('a value with CR LF', H2::request(['x' => "a\r\nhost: evil"]));
$ask('a value with NUL', H2::request(['x' => "a\0b"]));
$ask('a value that begins with a space', H2::request(['x' => ' a']));
$ask('a name with a colon', H2::request(['x: y' => 'a']));
$ask('transfer-encoding', H2::request(['transfer-encoding' => 'chunked']));
$ask('a long path', H2::request([], 'GET', '/' . str_repeat('a', 100)));
$ask('long headers', H2::request(['x' => str_repeat('a', 900), 'y' => str_repeat('a', 90)]));
$ask('far too long headers', H2::request(['x' => str_repeat('a', 3000)]));
$ask('many headers', H2::request(array_fill(0, 11, ['x', 'y'])));
$ask('a body', H2::request([], 'POST'), 'some', '', 'thing');
$ask('a body with its length', H2::request(['content-length' => '9'], 'POST'), 'something');
$ask('a length that is none', H2::request(['content-length' => 'x'], 'POST'), 'something');
$ask('a body that is declared too long', H2::request(['content-length' => '101'], 'POST'), str_repeat('x', 101));
$ask('a body that is too long', H2::request([], 'POST'), str_repeat('x', 60), str_repeat('x', 60), '');
$ask('expect', H2::request(['expect' => '100-continue'], 'POST'), 'yes');
echo 'beside it: ', $server->get('/'), "\n";
echo 'in the middle: ', $server->connect()->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n" . H2::PREFACE)->response()->status, "\n";
$client = $server->connect()->send("\r\n" . H2::PREFACE);
echo 'behind an empty line: ', $client->response()->status, "\n";
echo $server->stop();

$server = new Server('echo $_SERVER["SERVER_PROTOCOL"];', ['h2' => false]);
echo 'switched off: ', $server->connect()->send(H2::PREFACE)->response()->line();
echo $server->stop();
--EXPECT--
GET: 200 "GET \/ HTTP\/2.0 test - [] - " (end) 
cookies in crumbs: 200 "GET \/ HTTP\/2.0 test a=1; b=2; c=3 {\"a\":\"1\",\"b\":\"2\",\"c\":\"3\"} - " (end) 
a host instead: 200 "GET \/ HTTP\/2.0 other - [] - " (end) 
both, equal: 200 "GET \/ HTTP\/2.0 TEST - [] - " (end) 
both, different: 400 ":authority and the Host header name different hosts.\n" (end) 
no host: RST_STREAM PROTOCOL_ERROR 
no host that could be: RST_STREAM PROTOCOL_ERROR 
another scheme: 400 "The scheme is neither http nor https.\n" (end) 
an unknown method: 501 "This server does not know that method.\n" (end) 
a method with a space: RST_STREAM PROTOCOL_ERROR 
a path with a space: RST_STREAM PROTOCOL_ERROR 
a path with CR LF: RST_STREAM PROTOCOL_ERROR 
a value with CR LF: RST_STREAM PROTOCOL_ERROR 
a value with NUL: RST_STREAM PROTOCOL_ERROR 
a value that begins with a space: RST_STREAM PROTOCOL_ERROR 
a name with a colon: RST_STREAM PROTOCOL_ERROR 
transfer-encoding: RST_STREAM PROTOCOL_ERROR 
a long path: 414 "The request line is longer than 100 bytes (weft.http_max_request_line).\n" (end) 
long headers: 431 "The request headers are longer than 1000 bytes (weft.http_max_header_bytes).\n" (end) 
far too long headers: 431 "The request headers are longer than 1000 bytes (weft.http_max_header_bytes).\n" (end) 
many headers: 431 "The request has more than 10 headers (weft.http_max_header_count).\n" (end) 
a body: 200 "POST \/ HTTP\/2.0 test - [] 9 something" (end) 
a body with its length: 200 "POST \/ HTTP\/2.0 test - [] 9 something" (end) 
a length that is none: RST_STREAM PROTOCOL_ERROR 
a body that is declared too long: 413 "The request body has 101 bytes; the limit is 100 (post_max_size).\n" (end) 
a body that is too long: 413 "The request body is longer than 100 bytes (post_max_size).\n" (end) 
expect: 100 200 "POST \/ HTTP\/2.0 test - [] 3 yes" (end) 
beside it: 200 GET / HTTP/1.1 test - [] - 
in the middle: 200
behind an empty line: 505
exit status 0
switched off: 505 This server speaks HTTP/1.1 and HTTP/1.0.
exit status 0
