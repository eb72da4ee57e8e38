--TEST--
HTTP/2: what RFC 9113 and RFC 7541 ask of a server, case by case
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/frames.inc';

$server = new Server('if (str_starts_with($_SERVER["REQUEST_URI"], "/slow")) { Async\delay(20); } echo "hello";', [],
    ['weft.http_header_timeout_ms=5000']);

/** What of it decides: the end of an answer, an error, the end of the connection; for the others the answer to a PING. */
function outcome(H2Client $client, string $last, mixed $expected): string
{
    $waits = $expected === 'answered';
    $client->send($last, $waits ? '' : H2::ping());
    $answers = $pongs = 0;
    while (true) {
        $frame = $client->frame();
        if ($frame === null) {
            return 'closed';
        }
        if ($expected === 'acknowledged' && $frame['type'] === H2::SETTINGS && $frame['flags'] & H2::ACK && ++$answers === 2) {
            return 'acknowledged';
        }
        if ($expected === 'one byte' && $frame['type'] === H2::DATA) {
            return strlen($frame['payload']) === 1 && !($frame['flags'] & H2::END_STREAM) ? 'one byte' : 'another length';
        }
        $words = (string) H2Client::describe($frame);
        if (str_ends_with($words, '(end)') && ($waits || is_array($expected) && in_array('answered', $expected, true))) {
            return preg_match('/^\d+: (?:200|"hello") \(end\)$/', $words) ? 'answered' : $words;
        }
        if (preg_match('/RST_STREAM|GOAWAY/', $words) && !($words === '1: RST_STREAM CANCEL')) {
            return preg_replace('/^\d+: /', '', $words);
        }
        if ($words === 'PONG' && !$waits && !in_array($expected, ['one byte', 'acknowledged'], true)
            && !(is_array($expected) && in_array('answered', $expected, true))) {
            if (++$pongs === 2) {
                return 'ignored';
            }
            $client->send(H2::ping()); // a PONG overtakes other frames
        }
    }
}

function fits(string $outcome, mixed $expected): bool
{
    if (is_string($expected)) {
        return $outcome === $expected;
    }
    $kind = array_shift($expected);

    return $outcome === 'closed' || in_array(preg_replace('/^(GOAWAY|RST_STREAM) /', '', $outcome), $expected, true)
        && ($kind === 'stream' || !str_starts_with($outcome, 'RST_STREAM'));
}

foreach (require __DIR__ . '/cases.inc' as $group => $cases) {
    $right = 0;
    foreach ($cases as $case) {
        [$section, $title, $frames, $expected] = $case;
        $settings = $case[4] ?? [];
        $client = new H2Client($server, is_array($settings) ? $settings : [], is_string($settings) ? $settings : null);
        if (is_array($frames)) {
            $client->send($frames[0])->until('1: "hello" (end)', '5: "hello" (end)');
            $frames = $frames[1];
        }
        $outcome = outcome($client, $frames, $expected);
        if (fits($outcome, $expected)) {
            $right++;
        } else {
            echo "$group, $section, $title: $outcome, not ", json_encode($expected), "\n";
        }
        $client->client->close();
    }
    echo "$group: $right of ", count($cases), "\n";
}
$log = explode("\n", trim($server->stop()));
echo array_shift($log), "\n";
$others = preg_grep('/^weft: HTTP\/2: the connection of 127\.0\.0\.1 was ended: /', $log, PREG_GREP_INVERT);
echo $others ? implode("\n", $others) : 'nothing else in the log', "\n";
--EXPECT--
generic: 45 of 45
http2: 95 of 95
hpack: 8 of 8
exit status 0
nothing else in the log
