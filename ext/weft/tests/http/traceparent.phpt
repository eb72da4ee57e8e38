--TEST--
A well-formed traceparent is in the access log; the application gets any as it came
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

$server = new Server('echo $_SERVER["HTTP_TRACEPARENT"] ?? "none";', ['access_log' => 1, 'log_json' => 1]);

/** What W3C's text says, in words of its own. */
function trace_of(string $value): ?string
{
    $form = '/^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/D';

    return preg_match($form, $value, $match) && ($match[1] !== '00' || !isset($match[3])) ? $match[2] : null;
}

$good = '00-' . TRACE . '-' . PARENT . '-01';
$values = [
    $good,
    '00-' . TRACE . '-' . PARENT . '-00',
    '01-' . TRACE . '-' . PARENT . '-01',
    'cc-' . TRACE . '-' . PARENT . '-01-what-comes-later',
    'cc-' . TRACE . '-' . PARENT . '-01.what',
    'cc-' . TRACE . '-' . PARENT . '-01-',
    "$good-more", "{$good}0", "$good-",
    'ff-' . TRACE . '-' . PARENT . '-01',
    '00-' . strtoupper(TRACE) . '-' . PARENT . '-01',
    '00-' . str_repeat('0', 32) . '-' . PARENT . '-01',
    '00-' . TRACE . '-' . str_repeat('0', 16) . '-01',
    '00-' . TRACE . '-' . PARENT,
    '00_' . TRACE . '-' . PARENT . '-01',
    '00-' . substr(TRACE, 1) . '"-' . PARENT . '-01',
    '', '-', '00', '","status":200,"x":"',
];
$fixed = count($values);
mt_srand(17);
for ($i = 0; $i < 4000; $i++) {
    $value = $good;
    for ($changes = mt_rand(0, 3); $changes > 0; $changes--) {
        $at = mt_rand(0, strlen($value));
        // bytes that a header may have, and more often those that matter
        $byte = mt_rand(0, 2) ? '0123456789abcdefF-"\\ '[mt_rand(0, 20)] : chr([mt_rand(0x21, 0x7e), mt_rand(0x80, 0xff)][mt_rand(0, 1)]);
        $value = match (mt_rand(0, 3)) {
            0 => substr_replace($value, $byte, $at, 1),
            1 => substr_replace($value, $byte, $at, 0),
            2 => substr_replace($value, '', $at, 1),
            3 => substr($value, 0, $at) . str_repeat($byte, mt_rand(0, 40)) . substr($value, $at),
        };
    }
    $values[] = trim($value, " \t");
}

// in other letters, and twice
$twice = "Traceparent: $good\r\nTRACEPARENT: $good\r\n";
echo $server->get('/none'), "\n", $server->get('/twice', $twice), "\n";
$untouched = 0;
foreach (array_chunk($values, 100) as $chunk) {
    $client = $server->connect();
    foreach ($chunk as $value) {
        $untouched += $client->send("GET /one HTTP/1.1\r\nHost: a\r\nTraceParent: $value\r\n\r\n")->response()->body === $value;
    }
}
$lines = explode("\n", rtrim($server->stop()));
$traces = [];
$shown = 0;
foreach (array_slice($lines, 1) as $line) {
    $record = json_decode($line, true, flags: JSON_THROW_ON_ERROR);
    if ($record['path'] === '/one') {
        $traces[] = $record['trace'] ?? null;
    } else {
        echo $record['path'], ' ', json_encode($record['trace'] ?? null), "\n";
    }
}
foreach (array_slice($traces, 0, $fixed) as $i => $trace) {
    echo $trace === null ? 'ignored' : 'taken  ', ' ', $values[$i], "\n";
}
$wrong = array_filter($values, static fn (string $value, int $i) => $traces[$i] !== trace_of($value), ARRAY_FILTER_USE_BOTH);
echo count($traces) === count($values) ? 'all' : count($traces), ' logged, ', $untouched === count($values) ? 'all' : $untouched, ' untouched, ',
    count(array_filter($traces)) > 500 ? 'many' : 'few', ' taken, ', count($wrong), " wrong\n";
?>
--EXPECT--
200 none
200 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01, 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
/none null
/twice null
taken   00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
taken   00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00
taken   01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
taken   cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-comes-later
ignored cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.what
taken   cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-
ignored 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more
ignored 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-010
ignored 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-
ignored ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
ignored 00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01
ignored 00-00000000000000000000000000000000-00f067aa0ba902b7-01
ignored 00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01
ignored 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7
ignored 00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
ignored 00-bf92f3577b34da6a3ce929d0e0e4736"-00f067aa0ba902b7-01
ignored 
ignored -
ignored 00
ignored ","status":200,"x":"
all logged, all untouched, many taken, 0 wrong
