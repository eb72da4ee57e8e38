--TEST--
Clients make up header names: hundreds of them reach $_SERVER, and the worker lives on
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('$mine = preg_grep("/^HTTP_X_/", array_keys($_SERVER));
    echo count($mine), " with ", implode(" and ", array_unique(array_map(fn ($key) => $_SERVER[$key], $mine)));');
$answers = [];
foreach (range(1, 12) as $round) {
    $headers = '';
    foreach (range(1, 90) as $i) {
        $headers .= "X-$round-$i: a\r\n";
    }
    $answers[] = $server->get('/', $headers);
}
print_r(array_count_values($answers));
/* joined from several lines, under a name that is too many to be kept */
echo $server->get('/', "X-List: a\r\nX-List: b\r\n"), "\n";
echo $server->stop();
?>
--EXPECT--
Array
(
    [200 90 with a] => 12
)
200 1 with a, b
exit status 0
