--TEST--
What is flushed reaches the client at once, compressed or not; the next piece comes when the client has had that one
--EXTENSIONS--
weft
curl
zlib
--FILE--
<?php
require __DIR__ . '/server.inc';

$told = tempnam(sys_get_temp_dir(), 'weft-told-');
$server = new Server('
    $wait = static function (int $number) use (&$told): void {
        for ($tries = 0; (int) file_get_contents($_GET["told"]) < $number; $tries++) {
            if ($tries > 500) { fwrite(STDOUT, "piece $number never arrived\n"); exit; }
            Async\delay(10);
        }
    };
    header("Content-Type: text/event-stream");
    for ($i = 1; $i <= 3; $i++) {
        echo "data: number $i\n\n";
        flush();
        flush();
        $wait($i);
    }
    // more than is kept before it is sent, then nothing for a while
    echo str_repeat("data: filler\n", 200), "data: number 4\n\n";
    flush();
    $wait(4);
    echo "data: the end\n\n";
', ['write_buffer' => 1024]);
foreach (['identity', 'gzip', 'br', 'zstd'] as $coding) {
    file_put_contents($told, '0');
    $seen = '';
    $count = 0;
    $curl = curl_init("http://127.0.0.1:$server->port/?told=" . rawurlencode($told));
    curl_setopt_array($curl, [CURLOPT_ENCODING => $coding, CURLOPT_WRITEFUNCTION => static function ($curl, string $piece) use (&$seen, &$count, $told): int {
        $seen .= $piece;
        if (str_contains($seen, 'number ' . ($count + 1) . "\n\n")) {
            file_put_contents($told, (string) ++$count);
        }

        return strlen($piece);
    }]);
    echo "$coding: ", curl_exec($curl) ? 'complete' : curl_error($curl), ", $count pieces, ", substr_count($seen, 'filler'), ' fillers, ',
        str_ends_with($seen, "data: the end\n\n") ? "all\n" : "not all\n";
}
// the same, without a library between: each chunk of gzip is a piece
file_put_contents($told, '9');
$client = $server->connect()->send('GET /?told=' . rawurlencode($told) . " HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n");
$client->head();
$gzip = inflate_init(ZLIB_ENCODING_GZIP);
for ($i = 0; $i < 3; $i++) {
    echo inflate_add($gzip, $client->chunk());
}
echo $server->stop();
unlink($told);
--EXPECT--
identity: complete, 4 pieces, 200 fillers, all
gzip: complete, 4 pieces, 200 fillers, all
br: complete, 4 pieces, 200 fillers, all
zstd: complete, 4 pieces, 200 fillers, all
data: number 1

data: number 2

data: number 3

exit status 0
