--TEST--
HTTP/2: a coroutine a stream; an answer that streams; a client that resets a stream ends its request, and no other
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/frames.inc';

$server = new Server(<<<'PHP'
    switch ($_GET['do']) {
        case 'wait':
            Async\delay((int) $_GET['for']);
            echo $_GET['for'];
            break;
        case 'stream':
            foreach (['one', 'two', 'three'] as $part) {
                echo $part;
                flush();
                Async\delay(5);
            }
            break;
        case 'fail':
            echo 'begun';
            flush();
            eval('function strlen() {}');
        case 'long':
            try {
                fwrite(STDOUT, "begins\n");
                Async\delay(60_000);
            } finally {
                fwrite(STDOUT, "ends\n");
            }
    }
    PHP, ['hang_up_cancels' => true, 'h2_streams' => 3]);
$client = new H2Client($server);
$client->send(H2::get(1, '/?do=wait&for=60'), H2::get(3, '/?do=wait&for=30'), H2::get(5, '/?do=wait&for=1'));
echo implode("\n", $client->until('1: "60" (end)')), "\n\n";
$client->send(H2::get(7, '/?do=wait&for=50'), H2::get(9, '/?do=wait&for=50'), H2::get(11, '/?do=wait&for=50'), H2::get(13, '/?do=wait&for=1'));
echo 'a fourth: ', $client->next(), "\n\n";
$end = 0;
while ($end < 3) {
    $end += str_ends_with($client->next(), '"50" (end)');
}
echo "the others: answered\n\n";
$client->send(H2::get(15, '/?do=stream'));
echo implode("\n", $client->until('15: "" (end)')), "\n\n";
$client->send(H2::get(17, '/?do=long'), H2::get(19, '/?do=wait&for=50'));
echo $server->line();
$client->send(H2::reset(17));
echo $server->line(), implode("\n", $client->until('19: "50" (end)')), "\n\n";
$client->send(H2::get(21, '/?do=fail'));
echo implode("\n", $client->until('21: RST_STREAM INTERNAL_ERROR')), "\n\n";
$client->send(H2::get(23, '/?do=long'));
echo $server->line();
$client->client->close();
echo $server->line();
echo str_replace('redeclare function', 'redeclare', preg_replace('/ in .*/', '', $server->stop())); // PHP 8.4 says of what
--EXPECT--
5: 200
5: "1" (end)
3: 200
3: "30" (end)
1: 200
1: "60" (end)

a fourth: 13: RST_STREAM REFUSED_STREAM

the others: answered

15: 200
15: "one"
15: "two"
15: "three"
15: "" (end)

begins
ends
19: 200
19: "50" (end)

21: 200
21: "begun"
21: RST_STREAM INTERNAL_ERROR

begins
ends
exit status 0
PHP Fatal error:  Cannot redeclare strlen()
