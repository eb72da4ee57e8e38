--TEST--
Names of fields, cookies and parameters that clients make up are gone with their requests, without OPcache too
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

/* names of 8 KB, 800 KB of them in each request */
function names(int $round): string
{
    return implode('&', array_map(fn ($i) => "n$round-$i-" . str_repeat('x', 8000) . '=1', range(1, 100)));
}

$server = new Server('echo count($_POST), " ", memory_get_usage();', ini: ['opcache.enable_cli=0']);
foreach (range(1, 12) as $round) {
    $body = names($round);
    $response = $server->connect()->send("POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nConnection: close\r\nContent-Length: "
        . strlen($body) . "\r\n\r\n$body")->response();
    [$count, $usage[$round]] = array_map('intval', explode(' ', $response->body));
    $counts[] = $count;
}
print_r(array_count_values($counts));
/* the first requests leave something of their own; nine more would leave 7 MB */
echo $usage[12] - $usage[3] < 800_000 ? "nothing piles up\n" : 'grown by ' . ($usage[12] - $usage[3]) . "\n";
echo $server->stop();
?>
--EXPECT--
Array
(
    [100] => 12
)
nothing piles up
exit status 0
