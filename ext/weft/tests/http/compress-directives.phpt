--TEST--
The directives of compression: what is a list of codings or types, and what is not
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$said = static fn (string $name, string $value): string => (string) shell_exec(getenv('TEST_PHP_EXECUTABLE') . ' ' . getenv('TEST_PHP_EXTRA_ARGS')
    . ' -d display_errors=1 -d display_startup_errors=1 -d html_errors=0 -d log_errors=0 -d ' . escapeshellarg("$name=\"$value\"")
    . ' -r ' . escapeshellarg("echo ini_get('$name');"));
foreach (['gzip', 'br, gzip', 'auto', 'off', 'gzip,deflate'] as $value) {
    echo trim(preg_replace('/ in Unknown.*/s', '', $said('weft.http_compress', $value))), "\n";
}
foreach (['text/html', 'text/*,*+json', 'html', 'text/*/*'] as $value) {
    echo trim(preg_replace('/ in Unknown.*/s', '', $said('weft.http_compress_types', $value))), "\n";
}
$server = new Server('header("Content-Type: $_GET[t]"); echo str_repeat("abc", 14);', ini: [
    'weft.http_compress=gzip,zstd', 'weft.http_compress_min=20', 'weft.http_compress_types=text/css, font/*, *+json',
]);
foreach (['text/css', 'text/html', 'font/woff2', 'a/b+json', 'a/json'] as $type) {
    $response = $server->connect()->send('GET /?t=' . rawurlencode($type) . " HTTP/1.1\r\nHost: a\r\nAccept-Encoding: zstd, gzip\r\n\r\n")->response();
    echo $type, ' ', $response->headers['content-encoding'] ?? 'plain', "\n";
}
echo $server->stop();
--EXPECT--
gzip
br, gzip
auto
off
Warning: weft.http_compress must be "off" or "auto" or "zstd" or "br" or "gzip", "deflate" given (of the last three several, with commas between)
text/html
text/*,*+json
Warning: weft.http_compress_types must be types as "text/html", "text/*" or "*+json", with commas between, "html" given
Warning: weft.http_compress_types must be types as "text/html", "text/*" or "*+json", with commas between, "text/*/*" given
text/css gzip
text/html plain
font/woff2 gzip
a/b+json gzip
a/json plain
exit status 0
