--TEST--
A file is sent without PHP, as far as If-* and Range ask for it (RFC 9110, 13 and 14)
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/files.inc';

const MODIFIED = 1604361600; // a Tuesday
$files = new Files(['a.txt' => $bytes = implode('', array_map('chr', range(0, 249))) . str_repeat('x', 750), 'empty.css' => '', 'new.txt' => 'new']);
touch("$files->root/new.txt");
$date = static fn (int $time): string => gmdate('D, d M Y H:i:s', $time) . ' GMT';
$etag = sprintf('"%x-%x"', MODIFIED, 1000);
$at = $date(MODIFIED);
$answer = $files->ask('/a.txt');
echo $answer->statusLine, "\n";
foreach ($answer->headers as $name => $value) {
    echo $name === 'date' ? '' : "$name: $value\n";
}
echo $answer->body === $bytes ? 'right' : 'wrong', "\n";
foreach ([
    'seen since' => ["If-Modified-Since: $at"],
    'seen since, by RFC 850' => ['If-Modified-Since: ' . gmdate('l, d-M-y H:i:s', MODIFIED) . ' GMT'],
    'seen since, by asctime()' => ['If-Modified-Since: Tue Nov  3 00:00:00 2020'],
    'seen before' => ['If-Modified-Since: ' . $date(MODIFIED - 1)],
    'seen tomorrow' => ['If-Modified-Since: ' . $date(time() + 86400)],
    'seen "tomorrow"' => ['If-Modified-Since: tomorrow'],
    'seen on the 31st of February' => ['If-Modified-Since: Sat, 31 Feb 2021 00:00:00 GMT'],
    'seen at 25 o\'clock' => ['If-Modified-Since: Sat, 13 Feb 2021 25:00:00 GMT'],
    'the same tag' => ["If-None-Match: $etag"],
    'the same tag, weak' => ["If-None-Match: \"other\", W/$etag"],
    'the same tag, in a second header' => ['If-None-Match: "a,b"', "If-None-Match: $etag"],
    'any tag' => ['If-None-Match: *'],
    'a tag without its end' => ['If-None-Match: ' . substr($etag, 0, -1)],
    'another tag goes before the date' => ['If-None-Match: "other"', "If-Modified-Since: $at"],
    'only this tag' => ["If-Match: \"other\",$etag"],
    'only another tag' => ['If-Match: "other"', "If-None-Match: $etag"],
    'only a weak tag' => ["If-Match: W/$etag"],
    'only when there is one' => ['If-Match: *'],
    'only when unmodified, and it is' => ["If-Unmodified-Since: $at"],
    'only when unmodified' => ['If-Unmodified-Since: ' . $date(MODIFIED - 1)],
    'only when unmodified since nonsense' => ['If-Unmodified-Since: yesterday'],
    'the tag goes before the other date' => ["If-Match: $etag", 'If-Unmodified-Since: ' . $date(MODIFIED - 1)],
    'a range' => ['Range: bytes=10-19'],
    'a range, in capitals' => ['Range: BYTES=10-19'],
    'one byte' => ['Range: bytes=0-0'],
    'a range to the end' => ['Range: bytes=990-'],
    'a range beyond the end' => ['Range: bytes=990-99999'],
    'the last bytes' => ['Range: bytes=-10'],
    'more last bytes than there are' => ['Range: bytes=-5000'],
    'no last bytes' => ['Range: bytes=-0'],
    'a range behind the end' => ['Range: bytes=1000-'],
    'a number too large to be one' => ['Range: bytes=99999999999999999999-'],
    'a range that ends before it begins' => ['Range: bytes=20-10'],
    'the same bytes twice' => ['Range: bytes=0-10,5-6'],
    'several, of which one is there' => ['Range: bytes=2000-,5-6'],
    'more than may be' => ['Range: bytes=' . implode(',', array_map(fn (int $i): string => 2 * $i . '-' . 2 * $i, range(0, 16)))],
    'nonsense' => ['Range: bytes=-'],
    'more nonsense' => ['Range: bytes=1-2x'],
    'nothing' => ['Range: bytes='],
    'another unit' => ['Range: lines=1-2'],
    'two headers' => ['Range: bytes=1-2', 'Range: bytes=1-2'],
    'a range of the same' => ['Range: bytes=10-19', "If-Range: $etag"],
    'a range of what has changed' => ['Range: bytes=10-19', 'If-Range: "other"'],
    'a range of a weak tag' => ['Range: bytes=10-19', "If-Range: W/$etag"],
    'a range of the same time' => ['Range: bytes=10-19', "If-Range: $at"],
    'a range of a later time' => ['Range: bytes=10-19', 'If-Range: ' . $date(MODIFIED + 1)],
    'a range of what need not be sent' => ['Range: bytes=10-19', "If-None-Match: $etag"],
] as $name => $headers) {
    $answer = $files->ask('/a.txt', 'GET', ...$headers);
    $range = $answer->headers['content-range'] ?? '';
    $right = match ($answer->status) {
        200 => $answer->body === $bytes,
        206 => preg_match('~^bytes (\d+)-(\d+)/1000$~', $range, $m) && $answer->body === substr($bytes, (int) $m[1], $m[2] - $m[1] + 1),
        default => $answer->body === '' && $answer->headers['etag'] === $etag,
    };
    echo "$name: $answer->status $range", $right ? '' : ' WRONG', "\n";
}
foreach ([['/a.txt', 'HEAD', 'Range: bytes=2-4'], ['/a.txt', 'HEAD', "If-None-Match: $etag"], ['/empty.css'], ['/empty.css', 'GET', 'Range: bytes=0-']] as $request) {
    $answer = $files->ask(...$request);
    echo implode(' ', $request), ": $answer->status ", $answer->headers['content-length'] ?? 'no length', " '$answer->body'\n";
}
echo substr($files->ask('/new.txt')->headers['etag'], 0, 3), "\n";

// two that leave the rest in order behind them
$client = $files->server->connect()->send("GET /a.txt HTTP/1.1\r\nHost: a\r\nRange: bytes=0-4,-5,10-10\r\n\r\nGET /x HTTP/1.1\r\nHost: a\r\n\r\n");
$answer = $client->response();
$boundary = substr($answer->headers['content-type'], strlen('multipart/byteranges; boundary='));
echo "$answer->status ", str_replace(["\r", $boundary], ['', 'Boundary'], substr_replace($answer->body, '', strpos($answer->body, "\0"), 5)), $client->response()->line(), "\n";
echo $files->stop();
--EXPECT--
HTTP/1.1 200 OK
content-type: text/plain; charset=UTF-8
last-modified: Tue, 03 Nov 2020 00:00:00 GMT
etag: "5fa09d80-3e8"
accept-ranges: bytes
server: weft
content-length: 1000
connection: close
right
seen since: 304 
seen since, by RFC 850: 304 
seen since, by asctime(): 304 
seen before: 200 
seen tomorrow: 200 
seen "tomorrow": 200 
seen on the 31st of February: 200 
seen at 25 o'clock: 200 
the same tag: 304 
the same tag, weak: 304 
the same tag, in a second header: 304 
any tag: 304 
a tag without its end: 200 
another tag goes before the date: 200 
only this tag: 200 
only another tag: 412 
only a weak tag: 412 
only when there is one: 200 
only when unmodified, and it is: 200 
only when unmodified: 412 
only when unmodified since nonsense: 200 
the tag goes before the other date: 200 
a range: 206 bytes 10-19/1000
a range, in capitals: 206 bytes 10-19/1000
one byte: 206 bytes 0-0/1000
a range to the end: 206 bytes 990-999/1000
a range beyond the end: 206 bytes 990-999/1000
the last bytes: 206 bytes 990-999/1000
more last bytes than there are: 206 bytes 0-999/1000
no last bytes: 416 bytes */1000
a range behind the end: 416 bytes */1000
a number too large to be one: 416 bytes */1000
a range that ends before it begins: 200 
the same bytes twice: 200 
several, of which one is there: 206 bytes 5-6/1000
more than may be: 200 
nonsense: 200 
more nonsense: 200 
nothing: 200 
another unit: 200 
two headers: 200 
a range of the same: 206 bytes 10-19/1000
a range of what has changed: 200 
a range of a weak tag: 200 
a range of the same time: 206 bytes 10-19/1000
a range of a later time: 200 
a range of what need not be sent: 304 
/a.txt HEAD Range: bytes=2-4: 200 1000 ''
/a.txt HEAD If-None-Match: "5fa09d80-3e8": 304 no length ''
/empty.css: 200 0 ''
/empty.css GET Range: bytes=0-: 416 0 ''
W/"
206 
--Boundary
Content-Type: text/plain; charset=UTF-8
Content-Range: bytes 0-4/1000


--Boundary
Content-Type: text/plain; charset=UTF-8
Content-Range: bytes 995-999/1000

xxxxx
--Boundary
Content-Type: text/plain; charset=UTF-8
Content-Range: bytes 10-10/1000



--Boundary--
200 application
exit status 0
