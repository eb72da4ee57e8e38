--TEST--
Bombs, broken and unknown codings are refused, each with its reason
--EXTENSIONS--
weft
zlib
--FILE--
<?php
require __DIR__ . '/server.inc';

$handler = 'if (isset($_GET["make"])) { echo str_repeat("\0", 40 << 20); return; } echo strlen(file_get_contents("php://input"));';
$post = static function (Server $server, string $coding, string $body, string $more = ''): string {
    $response = $server->connect()->send("POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: $coding\r\n{$more}Content-Length: " . strlen($body) . "\r\n\r\n$body")->response();

    return rtrim($response->line()) . (isset($response->headers['accept-encoding']) ? " [{$response->headers['accept-encoding']}]" : '') . "\n";
};
$server = new Server($handler, ini: ['weft.http_decompress=zstd, br, gzip', 'weft.http_compress_br=11', 'post_max_size=8M']);
$page = gzencode(implode('', array_map(static fn (int $i): string => md5((string) $i), range(1, 5000))));
echo $post($server, 'gzip', $page);
echo 'unknown: ', $post($server, 'deflate', 'abc');
echo 'before 100 Continue: ', $post($server, 'compress', 'abc', "Expect: 100-continue\r\n");
echo 'two: ', $post($server, 'gzip, br', 'abc'), 'two headers: ', $post($server, 'gzip', 'abc', "Content-Encoding: br\r\n");
echo 'broken: ', $post($server, 'gzip', 'abcdefghijklmnopq'), 'broken later: ', $post($server, 'gzip', substr($page, 0, 10) . str_repeat("\xff", 3000));
echo 'wrong sum: ', $post($server, 'gzip', substr($page, 0, -8) . 'abcdefgh'), 'behind its end: ', $post($server, 'gzip', "{$page}abc");
echo 'truncated: ', $post($server, 'gzip', substr($page, 0, -1)), 'one byte: ', $post($server, 'gzip', "\x1f");
foreach (['gzip', 'br', 'zstd'] as $coding) {
    $bomb = $server->connect()->send("GET /?make HTTP/1.1\r\nHost: a\r\nAccept-Encoding: $coding\r\n\r\n")->response()->body;
    echo "$coding bomb: ", $post($server, $coding, $bomb), 'truncated: ', $post($server, $coding, substr($bomb, 0, 20));
    echo 'broken: ', $post($server, $coding, "\x3f" . substr($bomb, 0, 20));
}
echo $server->stop();
$server = new Server($handler, ini: ['weft.http_decompress=gzip', 'weft.http_decompress_ratio=0', 'post_max_size=3000000']);
echo 'any ratio: ', $post($server, 'gzip', gzencode(str_repeat("\0", 3000000), 9)), 'one more: ', $post($server, 'gzip', gzencode(str_repeat("\0", 3000001), 9));
echo 'not named: ', $post($server, 'br', 'abc');
echo $server->stop();
$server = new Server($handler, ini: ['weft.http_decompress=gzip', 'weft.http_codec_memory=10000']);
echo 'no memory: ', $post($server, 'gzip', $page), 'none needed: ', $post($server, 'identity', 'abc');
echo $server->stop();
--EXPECT--
200 160000
unknown: 415 A body's Content-Encoding must be one of zstd, br, gzip (weft.http_decompress). [zstd, br, gzip]
before 100 Continue: 415 A body's Content-Encoding must be one of zstd, br, gzip (weft.http_decompress). [zstd, br, gzip]
two: 415 A body's Content-Encoding must be one of zstd, br, gzip (weft.http_decompress). [zstd, br, gzip]
two headers: 415 A body's Content-Encoding must be one of zstd, br, gzip (weft.http_decompress). [zstd, br, gzip]
broken: 400 The request body is not what its Content-Encoding says.
broken later: 400 The request body is not what its Content-Encoding says.
wrong sum: 400 The request body is not what its Content-Encoding says.
behind its end: 400 The request body is not what its Content-Encoding says.
truncated: 400 The end of the compressed request body is missing.
one byte: 400 The end of the compressed request body is missing.
gzip bomb: 413 The request body is more than 100 times longer when decompressed (weft.http_decompress_ratio).
truncated: 400 The end of the compressed request body is missing.
broken: 400 The request body is not what its Content-Encoding says.
br bomb: 413 The request body is more than 100 times longer when decompressed (weft.http_decompress_ratio).
truncated: 400 The end of the compressed request body is missing.
broken: 400 The request body is not what its Content-Encoding says.
zstd bomb: 413 The request body is more than 100 times longer when decompressed (weft.http_decompress_ratio).
truncated: 400 The end of the compressed request body is missing.
broken: 400 The request body is not what its Content-Encoding says.
exit status 0
any ratio: 200 3000000
one more: 413 The request body is longer than 3000000 bytes when decompressed (post_max_size).
not named: 415 A body's Content-Encoding must be one of gzip (weft.http_decompress). [gzip]
exit status 0
no memory: 503 Compressed bodies need more memory than there is now (weft.http_codec_memory).
none needed: 200 3
exit status 0
