--TEST--
A cancelled read leaves its stream as it was; a cancelled transfer of curl leaves no connection to be used again
--EXTENSIONS--
weft
curl
--FILE--
<?php
require __DIR__ . '/cancelled.inc';

use function Async\await;
use function Async\spawn;

$cancelled = function (callable $work, int $after): string {
    $outcome = 'nothing';
    $victim = spawn(function () use ($work, &$outcome) {
        $outcome = outcome($work);
    });
    usleep($after);
    $victim->cancel();
    await($victim);

    return $outcome;
};

// what a stream says is the application's own matter
[$mine, $other] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$server = stream_socket_server('tcp://127.0.0.1:0');
$address = 'tcp://' . stream_socket_get_name($server, false);
$client = stream_socket_client($address);
$accepted = stream_socket_accept($server);
foreach ([[$mine, $other], [$client, $accepted]] as [$reader, $writer]) {
    fwrite($writer, 'half ');
    echo $cancelled(fn () => fread($reader, 5) . fread($reader, 100), 2000), ', ';
    fwrite($writer, 'and the rest');
    echo fread($reader, 100), ', ';
    fwrite($reader, 'back');
    echo fread($writer, 100), "\n";
}
$socket = socket_import_stream($client);
echo $cancelled(fn () => @socket_recv($socket, $got, 100, 0), 2000), ', ';
fwrite($accepted, 'again');
socket_recv($socket, $got, 100, 0);
echo "$got\n";

// a server that keeps connections, and says late what it was asked
$asked = [];
$web = stream_socket_server('tcp://127.0.0.1:0');
$url = 'http://' . stream_socket_get_name($web, false) . '/';
spawn(function () use ($web, &$asked) {
    while ($client = @stream_socket_accept($web, 3600)) {
        spawn(function () use ($client, &$asked) {
            while (($line = (string) fgets($client)) !== '') {
                while (trim((string) fgets($client)) !== '');
                preg_match('~/(\S*) ~', $line, $path);
                $asked[$path[1]] = ($asked[$path[1]] ?? 0) + 1;
                usleep(3000);
                @fwrite($client, "HTTP/1.1 200 OK\r\nContent-Length: " . strlen($path[1]) . "\r\n\r\n$path[1]");
            }
            fclose($client);
        });
    }
});
cancel_at_random(
    [
        'curl_exec' => function ($curl, $i) use ($url) {
            for ($n = 0; $n < 2; $n++) {
                curl_setopt($curl, CURLOPT_URL, "{$url}cancelled-$i-$n");
                curl_exec($curl);
            }
        },
    ],
    function () {
        $curl = curl_init();
        curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);

        return $curl;
    },
    function ($curl, $text) use ($url) {
        curl_setopt($curl, CURLOPT_URL, $url . $text);

        return curl_exec($curl);
    },
);
// libcurl asks again where a connection that it has used before ends without an answer
echo array_sum($asked) - count($asked), " asked twice\n";

// another loop that waits for its transfers may go on with them
$multi = curl_multi_init();
$curl = curl_init("{$url}goes-on");
curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
curl_multi_add_handle($multi, $curl);
$loop = function () use ($multi) {
    do {
        curl_multi_exec($multi, $running);
        $running && curl_multi_select($multi, 1);
    } while ($running);
};
echo 'curl_multi: ', $cancelled($loop, 1500), ', ';
$loop();
echo curl_multi_getcontent($curl), "\n";
exit;
?>
--EXPECT--
cancelled, and the rest, back
cancelled, and the rest, back
cancelled, again
curl_exec: some cancelled, nothing else thrown, 0 wrong answers
0 asked twice
curl_multi: cancelled, goes-on
