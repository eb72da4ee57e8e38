--TEST--
A file beside it that is compressed already is sent instead, to who takes it
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/files.inc';

$files = new Files(['all.js' => 'plain', 'all.js.br' => 'as br', 'all.js.zst' => 'as zstd', 'all.js.gz' => 'as gzip, longer', 'one.css' => 'plain', 'one.css.gz' => 'as gzip',
    'old.css' => 'plain', 'none.css' => 'plain', 'page.gz' => 'itself']);
$files->write('old.css.gz', 'as gzip', 1604361599);
$told = static function (string $path, string ...$headers) use ($files): string {
    $answer = $files->ask($path, 'GET', ...$headers);
    $told = array_intersect_key($answer->headers, array_flip(['content-type', 'content-encoding', 'vary', 'etag', 'content-range']));

    return "$answer->status $answer->body [" . implode(' | ', $told) . "]\n";
};
foreach (['', 'br', 'zstd', 'gzip', 'x-gzip', 'GZip', 'deflate', 'gzip, deflate, br, zstd', 'gzip;q=1, br;q=0.5, zstd;q=0.9', 'br;q=0, zstd;q=0.0, gzip;q=0.001', '*', '*;q=0',
    'br;q=0, *;q=0.5',
    'identity', 'identity;q=1, gzip;q=0.5', 'identity;q=0.5, gzip;q=0.5', 'gzip ; q=0.5 , zstd', 'br;q=0,', ',,gzip', 'gzipped'] as $accepts) {
    echo "$accepts: ", $told('/all.js', "Accept-Encoding: $accepts");
}
echo 'none said: ', $told('/all.js');
echo 'in two: ', $told('/all.js', 'Accept-Encoding: gzip;q=0.5', 'Accept-Encoding: zstd');
foreach (['/one.css', '/old.css', '/none.css', '/page.gz', '/all.js.gz'] as $path) {
    echo "$path: ", $told($path, 'Accept-Encoding: br, gzip');
}
echo 'its tag: ', $told('/all.js', 'Accept-Encoding: gzip', 'If-None-Match: "5fa09d80-f-gzip"');
echo "another's: ", $told('/all.js', 'Accept-Encoding: gzip', 'If-None-Match: "5fa09d80-5"');
echo 'its range: ', $told('/all.js', 'Accept-Encoding: gzip', 'Range: bytes=3-6');
unlink("$files->root/one.css.gz");
echo 'gone: ', $told('/one.css', 'Accept-Encoding: gzip');
$files->write('one.css.gz', 'again');
$files->write('none.css', 'changed', 1604361700);
usleep(1_050_000);
echo 'again: ', $told('/one.css', 'Accept-Encoding: gzip');
// large enough that an answer of PHP code would be compressed
$files->write('large.css', str_repeat('a { color: red }', 320));
$answer = $files->ask('/large.css', 'GET', 'Accept-Encoding: gzip');
echo 'large: ', strlen($answer->body), ' bytes, ', $answer->headers['content-encoding'] ?? 'as they are', ', tag ', $answer->headers['etag'], "\n";
echo $files->stop();
--EXPECT--
: 200 plain [text/javascript; charset=UTF-8 | "5fa09d80-5" | Accept-Encoding]
br: 200 as br [text/javascript; charset=UTF-8 | br | "5fa09d80-5-br" | Accept-Encoding]
zstd: 200 as zstd [text/javascript; charset=UTF-8 | zstd | "5fa09d80-7-zstd" | Accept-Encoding]
gzip: 200 as gzip, longer [text/javascript; charset=UTF-8 | gzip | "5fa09d80-f-gzip" | Accept-Encoding]
x-gzip: 200 as gzip, longer [text/javascript; charset=UTF-8 | gzip | "5fa09d80-f-gzip" | Accept-Encoding]
GZip: 200 as gzip, longer [text/javascript; charset=UTF-8 | gzip | "5fa09d80-f-gzip" | Accept-Encoding]
deflate: 200 plain [text/javascript; charset=UTF-8 | "5fa09d80-5" | Accept-Encoding]
gzip, deflate, br, zstd: 200 as br [text/javascript; charset=UTF-8 | br | "5fa09d80-5-br" | Accept-Encoding]
gzip;q=1, br;q=0.5, zstd;q=0.9: 200 as gzip, longer [text/javascript; charset=UTF-8 | gzip | "5fa09d80-f-gzip" | Accept-Encoding]
br;q=0, zstd;q=0.0, gzip;q=0.001: 200 as gzip, longer [text/javascript; charset=UTF-8 | gzip | "5fa09d80-f-gzip" | Accept-Encoding]
*: 200 as br [text/javascript; charset=UTF-8 | br | "5fa09d80-5-br" | Accept-Encoding]
*;q=0: 200 plain [text/javascript; charset=UTF-8 | "5fa09d80-5" | Accept-Encoding]
br;q=0, *;q=0.5: 200 as zstd [text/javascript; charset=UTF-8 | zstd | "5fa09d80-7-zstd" | Accept-Encoding]
identity: 200 plain [text/javascript; charset=UTF-8 | "5fa09d80-5" | Accept-Encoding]
identity;q=1, gzip;q=0.5: 200 plain [text/javascript; charset=UTF-8 | "5fa09d80-5" | Accept-Encoding]
identity;q=0.5, gzip;q=0.5: 200 as gzip, longer [text/javascript; charset=UTF-8 | gzip | "5fa09d80-f-gzip" | Accept-Encoding]
gzip ; q=0.5 , zstd: 200 as zstd [text/javascript; charset=UTF-8 | zstd | "5fa09d80-7-zstd" | Accept-Encoding]
br;q=0,: 200 plain [text/javascript; charset=UTF-8 | "5fa09d80-5" | Accept-Encoding]
,,gzip: 200 as gzip, longer [text/javascript; charset=UTF-8 | gzip | "5fa09d80-f-gzip" | Accept-Encoding]
gzipped: 200 plain [text/javascript; charset=UTF-8 | "5fa09d80-5" | Accept-Encoding]
none said: 200 plain [text/javascript; charset=UTF-8 | "5fa09d80-5" | Accept-Encoding]
in two: 200 as zstd [text/javascript; charset=UTF-8 | zstd | "5fa09d80-7-zstd" | Accept-Encoding]
/one.css: 200 as gzip [text/css; charset=UTF-8 | gzip | "5fa09d80-7-gzip" | Accept-Encoding]
/old.css: 200 plain [text/css; charset=UTF-8 | "5fa09d80-5"]
/none.css: 200 plain [text/css; charset=UTF-8 | "5fa09d80-5"]
/page.gz: 200 itself [application/gzip | "5fa09d80-6"]
/all.js.gz: 200 as gzip, longer [application/gzip | "5fa09d80-f"]
its tag: 304  ["5fa09d80-f-gzip" | Accept-Encoding]
another's: 200 as gzip, longer [text/javascript; charset=UTF-8 | gzip | "5fa09d80-f-gzip" | Accept-Encoding]
its range: 206 gzip [bytes 3-6/15 | text/javascript; charset=UTF-8 | gzip | "5fa09d80-f-gzip" | Accept-Encoding]
gone: 200 plain [text/css; charset=UTF-8 | "5fa09d80-5" | Accept-Encoding]
again: 200 again [text/css; charset=UTF-8 | gzip | "5fa09d80-5-gzip" | Accept-Encoding]
large: 5120 bytes, as they are, tag "5fa09d80-1400"
exit status 0
