--TEST--
What PHP compresses itself is not compressed again
--EXTENSIONS--
weft
zlib
--FILE--
<?php
require __DIR__ . '/server.inc';

$page = str_repeat('All work and no play. ', 1000);
foreach ([['', 'ob_start("ob_gzhandler");'], ['zlib.output_compression=1', ''], ['weft.http_compress=off', ''], ['weft.http_compress=gzip', '']] as [$ini, $code]) {
    $server = new Server("$code echo str_repeat('All work and no play. ', 1000);", ini: $ini === '' ? [] : [$ini]);
    foreach (['gzip', 'zstd'] as $accepted) {
        $response = $server->connect()->send("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: $accepted\r\n\r\n")->response();
        echo $ini, $code, ", $accepted: ", $coding = $response->headers['content-encoding'] ?? 'plain', ', vary ', $response->headers['vary'] ?? 'none',
            $coding === 'zstd' || ($coding === 'gzip' ? gzdecode($response->body) : $response->body) === $page ? '' : ', another page', "\n";
    }
    echo $server->stop();
}
--EXPECT--
ob_start("ob_gzhandler");, gzip: gzip, vary Accept-Encoding
ob_start("ob_gzhandler");, zstd: zstd, vary Accept-Encoding
exit status 0
zlib.output_compression=1, gzip: gzip, vary Accept-Encoding
zlib.output_compression=1, zstd: zstd, vary Accept-Encoding
exit status 0
weft.http_compress=off, gzip: plain, vary none
weft.http_compress=off, zstd: plain, vary none
exit status 0
weft.http_compress=gzip, gzip: gzip, vary Accept-Encoding
weft.http_compress=gzip, zstd: plain, vary Accept-Encoding
exit status 0
