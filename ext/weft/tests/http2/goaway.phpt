--TEST--
HTTP/2: a server that stops says so in two steps, answers what has begun, and then closes
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/frames.inc';

$flag = tempnam(sys_get_temp_dir(), 'weft-test-');
$server = new Server('$flag = ' . var_export($flag, true) . ';' . <<<'PHP'
    if (isset($_GET['slow'])) {
        fwrite(STDOUT, "begun\n");
        while (is_file($flag)) {
            Async\delay(5);
            clearstatcache();
        }
        Async\delay(50);
    } else {
        unlink($flag);
    }
    echo 'hello';
    PHP, ['drain_ms' => 5000]);
$client = new H2Client($server);
$idle = new H2Client($server);
$idle->told();
$client->send(H2::get(1, '/?slow'));
$server->line();
$server->signal(15);
$last = function (array $frame): string {
    $id = unpack('N', $frame['payload'])[1];
    return 'GOAWAY ' . ($id === 0x7fffffff ? 'for none' : "from $id on") . "\n";
};
while (($frame = $client->frame()) !== null) {
    if ($frame['type'] === H2::GOAWAY) {
        echo $last($frame);
    } elseif ($frame['type'] === H2::PING && !($frame['flags'] & H2::ACK)) {
        echo "PING\n";
        // what was sent before the PONG is answered
        $client->send(H2::get(3), H2::frame(H2::PING, H2::ACK, 0, $frame['payload']));
    } elseif ($words = H2Client::describe($frame)) {
        echo $words, "\n";
    }
}
echo "closed\n";
while (($frame = $idle->frame()) !== null) {
    if ($frame['type'] === H2::GOAWAY) {
        echo 'idle: ', $last($frame);
    } elseif ($frame['type'] === H2::PING && !($frame['flags'] & H2::ACK)) {
        $idle->send(H2::frame(H2::PING, H2::ACK, 0, $frame['payload']));
    }
}
echo "idle: closed\n", $server->stop();
--EXPECT--
PING
GOAWAY for none
GOAWAY from 3 on
3: 200
3: "hello" (end)
1: 200
1: "hello" (end)
closed
idle: GOAWAY for none
idle: GOAWAY from 0 on
idle: closed
exit status 0
