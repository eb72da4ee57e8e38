--TEST--
X-Accel-Redirect and X-Sendfile: the server sends the file that the application names, from the folders that it may name
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$root = sys_get_temp_dir() . '/weft-redirect-' . bin2hex(random_bytes(6));
mkdir("$root/folder/deep", 0777, true);
file_put_contents("$root/folder/a.pdf", '0123456789');
file_put_contents("$root/folder/deep/script.php", '<?php echo 1;');
file_put_contents("$root/folder/large.bin", $large = random_bytes(3 << 20));
file_put_contents("$root/outside.txt", 'SECRET');
symlink('../../outside.txt', "$root/folder/deep/link.txt");
foreach (['a.pdf', 'deep/script.php', 'large.bin'] as $name) {
    touch("$root/folder/$name", 1604361600);
}
$handler = '
    header("Content-Type: application/pdf");
    if (isset($_GET["etag"])) { header("ETag: \"mine\""); }
    if (isset($_GET["length"])) { header("Content-Length: 10"); }
    if (isset($_GET["status"])) { http_response_code((int) $_GET["status"]); }
    header("$_GET[name]: $_GET[file]");
    echo "thrown away";
    if (isset($_GET["flush"])) { flush(); ob_flush(); echo str_repeat("x", 200000); flush(); }
';
$server = new Server($handler, ['sendfile' => "$root/folder"]);
$ask = static function (string $query, string $method = 'GET', string ...$headers) use ($server): Response {
    $lines = implode('', array_map(static fn (string $header): string => "$header\r\n", $headers));

    return $server->connect()->send("$method /?$query HTTP/1.1\r\nHost: a\r\n{$lines}Connection: close\r\n\r\n")->response($method === 'HEAD');
};
$accel = static fn (string $file): string => 'name=X-Accel-Redirect&file=' . urlencode($file);
$answer = $ask($accel('/protected/a.pdf'));
echo $answer->statusLine, "\n";
foreach ($answer->headers as $name => $value) {
    echo in_array($name, ['date', 'x-powered-by'], true) ? '' : "$name: $value\n";
}
echo $answer->body, "\n";
foreach (['/protected/large.bin', '/protected/deep/script.php', '/protected/%61.pdf', '/protected/none', '/protected/deep', '/protected/', '/protected',
    '/other/a.pdf', 'a.pdf', '',
    '/protected/../outside.txt', '/protected/deep/link.txt', '/protectedness/a.pdf'] as $file) {
    $answer = $ask($accel($file));
    echo "$file: $answer->status ", $answer->body === $large ? 'all of it' : trim($answer->body), "\n";
}
foreach (["$root/folder/a.pdf", "$root/folder/deep/../a.pdf", "$root/folder/../outside.txt", "$root/outside.txt", "$root/folder/deep/link.txt", '/etc/passwd'] as $file) {
    echo str_replace($root, 'ROOT', $file), ': ', $ask('name=x-sendfile&file=' . urlencode($file))->line(), "\n";
}
$file = $accel('/protected/a.pdf');
foreach ([
    'a range' => [$file, 'GET', 'Range: bytes=2-4'],
    'a range of what has a length' => ["$file&length", 'GET', 'Range: bytes=2-4'],
    'none of it' => [$file, 'GET', 'Range: bytes=10-'],
    'the same' => [$file, 'GET', 'If-Modified-Since: Tue, 03 Nov 2020 00:00:00 GMT'],
    'the same by its tag' => ["$file&etag", 'GET', 'If-None-Match: "mine"'],
    'a range of the same' => ["$file&etag", 'GET', 'Range: bytes=2-4', 'If-Range: "mine"'],
    'a range of another' => ["$file&etag", 'GET', 'Range: bytes=2-4', 'If-Range: "5fa09d80-a"'],
    'head' => [$file, 'HEAD'],
    'a page of an error' => ["$file&status=404", 'GET', 'Range: bytes=2-4'],
    'flushed' => ["$file&flush"],
] as $name => $request) {
    $answer = $ask(...$request);
    echo "$name: $answer->status $answer->body ", $answer->framing(), ' ', $answer->headers['content-range'] ?? '', "\n";
}
echo strtok($server->stop(), "\n"), "\n";

// not asked for: the headers are for a web server in front
$server = new Server($handler);
$answer = $server->connect()->send('GET /?' . $accel('/protected/a.pdf') . " HTTP/1.1\r\nHost: a\r\n\r\n")->response();
echo $answer->headers['x-accel-redirect'], ' ', $answer->body, "\n";
echo $server->stop();
exec('rm -rf ' . escapeshellarg($root));
--EXPECT--
HTTP/1.1 200 OK
content-type: application/pdf
etag: "5fa09d80-a"
last-modified: Tue, 03 Nov 2020 00:00:00 GMT
accept-ranges: bytes
server: weft
content-length: 10
connection: close
0123456789
/protected/large.bin: 200 all of it
/protected/deep/script.php: 200 <?php echo 1;
/protected/%61.pdf: 200 0123456789
/protected/none: 404 Not Found
/protected/deep: 404 Not Found
/protected/: 404 Not Found
/protected: 404 Not Found
/other/a.pdf: 404 Not Found
a.pdf: 404 Not Found
: 404 Not Found
/protected/../outside.txt: 404 Not Found
/protected/deep/link.txt: 404 Not Found
/protectedness/a.pdf: 404 Not Found
ROOT/folder/a.pdf: 200 0123456789
ROOT/folder/deep/../a.pdf: 404 Not Found

ROOT/folder/../outside.txt: 404 Not Found

ROOT/outside.txt: 404 Not Found

ROOT/folder/deep/link.txt: 404 Not Found

/etc/passwd: 404 Not Found

a range: 206 234 length 3 bytes 2-4/10
a range of what has a length: 206 234 length 3 bytes 2-4/10
none of it: 416  length 0 bytes */10
the same: 304  until close 
the same by its tag: 304  until close 
a range of the same: 206 234 length 3 bytes 2-4/10
a range of another: 200 0123456789 length 10 
head: 200  length 10 
a page of an error: 404 0123456789 length 10 
flushed: 200 0123456789 length 10 
exit status 0
/protected/a.pdf thrown away
exit status 0
