--TEST--
Every response has one Date, and the application's own replaces it
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('if (isset($_GET["own"])) { header("Date: Thu, 01 Jan 1970 00:00:00 GMT"); }');
$date = $server->connect()->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")->response()->headers['date'];
$time = DateTimeImmutable::createFromFormat('D, d M Y H:i:s \G\M\T', $date, new DateTimeZone('UTC'));
var_dump(abs($time->getTimestamp() - time()) <= 2, $time->format('D, d M Y H:i:s \G\M\T') === $date);
echo $server->connect()->send("GET /?own HTTP/1.1\r\nHost: a\r\n\r\n")->response()->headers['date'], "\n";
echo $server->stop();
--EXPECT--
bool(true)
bool(true)
Thu, 01 Jan 1970 00:00:00 GMT
exit status 0
