--TEST--
HTTP/2: floods end their connection, with a word in the log, and nobody else's
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/frames.inc';

$server = new Server('if (isset($_GET["slow"])) { Async\delay(100); } echo "hello";', [], ['memory_limit=64M']);
$floods = [
    'rapid reset' => implode('', array_map(fn ($i) => H2::get(2 * $i + 1, '/?slow') . H2::reset(2 * $i + 1), range(0, 200))),
    'resets of what was broken' => array_map(fn ($part) => implode('', array_map(fn ($i) => H2::get(2 * $i + 1, ''), $part)), array_chunk(range(0, 200), 50)),
    'continuations' => H2::headers(1, H2::request(), 0) . str_repeat(H2::frame(H2::CONTINUATION, 0, 1), 100),
    'continuations with fields' => H2::headers(1, H2::request(), 0)
        . str_repeat(H2::frame(H2::CONTINUATION, 0, 1, str_repeat(H2::field('x', str_repeat('y', 100)), 100)), 100),
    'a bomb of indexed fields' => H2::headers(1, H2::request() . "\x40" . H2::string('x') . H2::string(str_repeat('y', 4000))
        . str_repeat("\xbe", 8000)),
    'settings' => str_repeat(H2::settings([3 => 100]), 2000),
    'large settings' => H2::frame(H2::SETTINGS, 0, 0, str_repeat(pack('nN', 3, 100), 1000)),
    'pings' => str_repeat(H2::ping(), 2000),
    'empty data' => H2::post(1) . str_repeat(H2::data(1, '', 0), 2000),
    'priorities' => str_repeat(H2::priority(1, 0), 2000),
    'updates of windows' => str_repeat(H2::window(0, 1), 2000),
    'rapid reset, with no error' => implode('', array_map(fn ($i) => H2::get(2 * $i + 1, '/?slow') . H2::reset(2 * $i + 1, 0), range(0, 150))),
    'unknown frames' => H2::get(1) . str_repeat(H2::frame(H2::PRIORITY_UPDATE, 0, 0, pack('N', 1) . 'u=1'), 2000),
    'frames of unknown types' => str_repeat(H2::frame(0x0b, 0, 0, 'x') . H2::frame(0xfa, 0xff, 7), 1000),
    'data that is padding alone' => H2::post(1) . str_repeat(H2::data(1, "\0", H2::PADDED) . H2::data(1, "\3\0\0\0", H2::PADDED), 1000),
    'empty data of a stream that was reset' => H2::post(1, ['bad header' => 'x']) . str_repeat(H2::data(1, '', 0), 2000),
    'resets of a closed stream' => H2::post(1, ['bad header' => 'x']) . str_repeat(H2::reset(1), 2000),
    'answers to pings that nobody sent' => str_repeat(H2::frame(H2::PING, H2::ACK, 0, 'weftweft'), 2000),
    'farewells' => H2::get(1, '/?slow') . str_repeat(H2::frame(H2::GOAWAY, 0, 0, pack('NN', 0, 0)), 2000),
];
$honest = new H2Client($server);
$id = -1;
foreach ($floods as $name => $frames) {
    $client = new H2Client($server);
    foreach ((array) $frames as $part) {
        $client->send($part);
        $client->settle();
    }
    $end = [];
    do {
        $words = $client->next();
        if (preg_match('/GOAWAY|closed/', $words)) {
            $end[] = $words;
        }
    } while ($words !== 'closed');
    $id += 2;
    $answer = $honest->send(H2::get($id))->until("$id: \"hello\" (end)");
    echo "$name: ", implode(', ', $end), '; ', end($answer), "\n";
    usleep(1_000);
}
$memory = (int) preg_replace('/.*VmHWM:\s+(\d+).*/s', '$1', file_get_contents("/proc/{$server->pid()}/status"));
$most = getenv('ASAN_OPTIONS') === false ? 100_000 : 1_000_000; // a sanitizer keeps what was freed
echo $memory < $most ? 'little memory' : "$memory kB", "\n";
$log = explode("\n", trim($server->stop()));
echo array_shift($log), "\n";
echo preg_grep('/^weft: HTTP\/2: the connection of 127\.0\.0\.1 was ended: /', $log, PREG_GREP_INVERT) ? implode("\n", $log) : 'told', "\n";
--EXPECT--
rapid reset: GOAWAY ENHANCE_YOUR_CALM, closed; 1: "hello" (end)
resets of what was broken: GOAWAY ENHANCE_YOUR_CALM, closed; 3: "hello" (end)
continuations: GOAWAY ENHANCE_YOUR_CALM, closed; 5: "hello" (end)
continuations with fields: GOAWAY ENHANCE_YOUR_CALM, closed; 7: "hello" (end)
a bomb of indexed fields: GOAWAY ENHANCE_YOUR_CALM, closed; 9: "hello" (end)
settings: GOAWAY ENHANCE_YOUR_CALM, closed; 11: "hello" (end)
large settings: GOAWAY ENHANCE_YOUR_CALM, closed; 13: "hello" (end)
pings: GOAWAY ENHANCE_YOUR_CALM, closed; 15: "hello" (end)
empty data: GOAWAY ENHANCE_YOUR_CALM, closed; 17: "hello" (end)
priorities: GOAWAY ENHANCE_YOUR_CALM, closed; 19: "hello" (end)
updates of windows: GOAWAY ENHANCE_YOUR_CALM, closed; 21: "hello" (end)
rapid reset, with no error: GOAWAY ENHANCE_YOUR_CALM, closed; 23: "hello" (end)
unknown frames: GOAWAY ENHANCE_YOUR_CALM, closed; 25: "hello" (end)
frames of unknown types: GOAWAY ENHANCE_YOUR_CALM, closed; 27: "hello" (end)
data that is padding alone: GOAWAY ENHANCE_YOUR_CALM, closed; 29: "hello" (end)
empty data of a stream that was reset: GOAWAY ENHANCE_YOUR_CALM, closed; 31: "hello" (end)
resets of a closed stream: GOAWAY ENHANCE_YOUR_CALM, closed; 33: "hello" (end)
answers to pings that nobody sent: GOAWAY ENHANCE_YOUR_CALM, closed; 35: "hello" (end)
farewells: GOAWAY ENHANCE_YOUR_CALM, closed; 37: "hello" (end)
little memory
exit status 0
told
