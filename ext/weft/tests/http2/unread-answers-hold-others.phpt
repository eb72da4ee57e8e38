--TEST--
Of a client that takes nothing of its answers no more requests begin, also of those that were complete before: they take no place
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/frames.inc';

$begun = tempnam(sys_get_temp_dir(), 'weft-test-');
$server = new Server('
    if ($_SERVER["REQUEST_URI"] === "/") { echo "alive"; return; }
    file_put_contents("' . $begun . '", ".", FILE_APPEND);
    for ($i = 0; $i < 20; $i++) { echo str_repeat(chr(97 + $i), 100_000); }
', ['concurrency' => 100]);
$all = '';
for ($id = 1; $id < 200; $id += 2) {
    $all .= H2::get($id, '/big');
}
$client = new H2Client($server, [4 => 0]);
$client->send($all);
$client->settle();
usleep(300_000);
echo $server->get('/'), "\n";
$count = filesize($begun);
echo $count > 10 && $count < 50 ? "some have begun\n" : "$count have begun\n";

// those that were held begin when there is room for them
$client->send(H2::settings([4 => 4_000_000]), H2::window(0, 1 << 30));
for ($ended = 0; $ended < 100 && ($frame = $client->frame()) !== null;) {
    $ended += $frame['type'] === H2::DATA && $frame['flags'] & H2::END_STREAM;
}
echo "$ended answers\n";
unset($client);
unlink($begun);
echo $server->stop();
?>
--EXPECT--
200 alive
some have begun
100 answers
exit status 0
