--TEST--
What is compressed, what is not, and what caches are told of it
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    foreach ($_GET["h"] ?? [] as $line) { header($line, false); }
    if (isset($_GET["t"])) { header_remove("Content-Type"); $_GET["t"] === "" || header("Content-Type: $_GET[t]"); }
    http_response_code((int) ($_GET["s"] ?? 200));
    $page = isset($_GET["r"]) ? random_bytes(4000) : str_repeat("All work and no play. ", (int) ($_GET["n"] ?? 100));
    if (!isset($_GET["empty"])) { echo $page; }
');
$show = static function (string $what, array $query, string $method = 'GET', string $headers = '') use ($server): void {
    $head = "$method /?" . http_build_query($query) . " HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n{$headers}Connection: close\r\n\r\n";
    $response = $server->connect()->send($head)->response($method === 'HEAD');
    $names = ['content-encoding', 'vary', 'etag', 'accept-ranges', 'content-length', 'cache-control'];
    $coded = ($response->headers['content-encoding'] ?? '') === 'gzip' && $response->body !== '';
    $told = array_intersect_key($response->headers, array_flip($names));
    $few = static fn (string $name, string $value): bool => $name === 'content-length' && $value < 300 && $value > 30;
    $told = array_map(static fn (string $name, string $value): string => "$name: " . ($few($name, $value) ? 'few' : $value), array_keys($told), $told);
    $body = !$coded ? $response->body : gzdecode($response->body);
    $right = $body === '' || $body === str_repeat('All work and no play. ', (int) ($query['n'] ?? 100));
    echo "$what: $response->status ", implode('; ', $told), $right ? '' : ' OTHER BODY', "\n";
};
$show('a page', []);
$show('short', ['n' => 46]);
$show('long enough', ['n' => 47]);
foreach ([
    'text/css; charset=utf-8', 'TEXT/Plain', 'application/json', 'application/problem+json', 'image/svg+xml', 'image/png',
    'application/octet-stream', 'application/jsonp', '',
] as $type) {
    $show("type \"$type\"", ['t' => $type]);
}
$show('coded by itself', ['h' => ['Content-Encoding: none']]);
$show('no-transform', ['h' => ['Cache-Control: public, No-Transform']]);
$show('another word', ['h' => ['Cache-Control: public, x-no-transform']]);
$show('a part', ['s' => 206, 'h' => ['Content-Range: bytes 0-2199/5000']]);
$show('a checksum', ['h' => ['Content-Digest: sha-256=:x:']]);
$show('opted out', ['h' => ['X-Weft-Compression: off']]);
$show('opted out and in', ['h' => ['X-Weft-Compression: off', 'X-WEFT-compression:on']]);
$show('not found', ['s' => 404]);
$show('no content', ['s' => 204, 'empty' => 1]);
$show('varies', ['h' => ['Vary: Cookie']]);
$show('varies twice', ['h' => ['Vary: Cookie', 'Vary: Origin, accept-encoding']]);
$show('varies by all', ['h' => ['Vary: *']]);
$show('strong tag and ranges', ['h' => ['ETag: "a"', 'Accept-Ranges: bytes']]);
$show('weak tag', ['h' => ['ETag: W/"a"']]);
$show('declared', ['h' => ['Content-Length: 2200']]);
$show('HEAD', ['h' => ['ETag: "a"']], 'HEAD');
$show('HEAD, left out and declared', ['empty' => 1, 'h' => ['Content-Length: 2200', 'ETag: "a"']], 'HEAD');
$show('HEAD, left out', ['empty' => 1, 'h' => ['ETag: "a"']], 'HEAD');
$show('304 to the weak tag', ['s' => 304, 'empty' => 1, 'h' => ['ETag: "a"']], 'GET', "If-None-Match: \"b\", W/\"a\"\r\n");
$show('304 to the strong tag', ['s' => 304, 'empty' => 1, 'h' => ['ETag: "a"']], 'GET', "If-None-Match: \"a\"\r\n");
// what would not become shorter
$response = $server->connect()->send("GET /?r HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n")->response();
echo 'noise: ', $response->framing(), ' ', $response->headers['content-encoding'] ?? 'plain', ' ', $response->headers['vary'], "\n";
// for HTTP/1.0, and for who does not ask
$response = $server->connect()->send("GET / HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n")->response();
echo 'HTTP/1.0: ', strlen(gzdecode($response->body)), ' ', $response->headers['vary'], "\n";
$response = $server->connect()->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")->response();
echo 'not asked: ', strlen($response->body), ' ', $response->headers['vary'], "\n";
$show('nonsense', ['h' => ['X-Weft-Compression: 9']]);
echo $server->stop();
--EXPECTF--
a page: 200 vary: Accept-Encoding; content-encoding: gzip; content-length: few
short: 200 content-length: 1012
long enough: 200 vary: Accept-Encoding; content-encoding: gzip; content-length: few
type "text/css; charset=utf-8": 200 vary: Accept-Encoding; content-encoding: gzip; content-length: few
type "TEXT/Plain": 200 vary: Accept-Encoding; content-encoding: gzip; content-length: few
type "application/json": 200 vary: Accept-Encoding; content-encoding: gzip; content-length: few
type "application/problem+json": 200 vary: Accept-Encoding; content-encoding: gzip; content-length: few
type "image/svg+xml": 200 vary: Accept-Encoding; content-encoding: gzip; content-length: few
type "image/png": 200 content-length: 2200
type "application/octet-stream": 200 content-length: 2200
type "application/jsonp": 200 content-length: 2200
type "": 200 %a
coded by itself: 200 content-encoding: none; content-length: 2200
no-transform: 200 cache-control: public, No-Transform; content-length: 2200
another word: 200 cache-control: public, x-no-transform; vary: Accept-Encoding; content-encoding: gzip; content-length: few
a part: 206 content-length: 2200
a checksum: 200 content-length: 2200
opted out: 200 content-length: 2200
opted out and in: 200 vary: Accept-Encoding; content-encoding: gzip; content-length: few
not found: 404 vary: Accept-Encoding; content-encoding: gzip; content-length: few
no content: 204 
varies: 200 vary: Cookie, Accept-Encoding; content-encoding: gzip; content-length: few
varies twice: 200 vary: Origin, accept-encoding; content-encoding: gzip; content-length: few
varies by all: 200 vary: *; content-encoding: gzip; content-length: few
strong tag and ranges: 200 etag: W/"a"; vary: Accept-Encoding; content-encoding: gzip; content-length: few
weak tag: 200 etag: W/"a"; vary: Accept-Encoding; content-encoding: gzip; content-length: few
declared: 200 vary: Accept-Encoding; content-encoding: gzip; content-length: few
HEAD: 200 etag: W/"a"; vary: Accept-Encoding; content-encoding: gzip; content-length: few
HEAD, left out and declared: 200 etag: W/"a"; vary: Accept-Encoding; content-encoding: gzip
HEAD, left out: 200 etag: "a"; vary: Accept-Encoding
304 to the weak tag: 304 etag: W/"a"
304 to the strong tag: 304 etag: "a"
noise: length 4000 plain Accept-Encoding
HTTP/1.0: 2200 Accept-Encoding
not asked: 2200 Accept-Encoding
nonsense: 200 vary: Accept-Encoding; content-encoding: gzip; content-length: few
exit status 0
PHP Warning:  header(): X-Weft-Compression must be "on" or "off", "9" given; it changes nothing in %s
