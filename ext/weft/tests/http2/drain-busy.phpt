--TEST--
HTTP/2: a client that goes on with requests, and does not say that it knows, does not put off the end of a drain
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/frames.inc';

$server = new Server('Async\delay((int) $_GET["for"]); echo "hello";', ['drain_ms' => 100]);
$client = new H2Client($server);
$client->send(H2::get(1, '/?for=400'));
$client->told();
$server->signal(15);
$last = $id = 1;
$answered = [];
$client->send(H2::get($id += 2, '/?for=1'));
while (($frame = $client->frame()) !== null) {
    if ($frame['type'] === H2::GOAWAY) {
        $last = unpack('N', $frame['payload'])[1];
        echo $last === 0x7fffffff ? 'GOAWAY for none' : 'GOAWAY', "\n";
    } elseif ($frame['type'] === H2::DATA) {
        $answered[] = $frame['stream'];
        if ($frame['stream'] !== 1 && $id < 2000) {
            $client->send(H2::get($id += 2, '/?for=1'));
        }
    }
}
sort($answered);
echo $last > 1 && $last < 2000 && $answered === range(1, $last, 2) ? 'all that have been accepted are answered' : "$last: " . implode(' ', $answered), "\n";
echo $id === $last + 2 ? 'one more is not' : $id, "\n", $server->stop();
--EXPECT--
GOAWAY for none
GOAWAY
all that have been accepted are answered
one more is not
exit status 0
