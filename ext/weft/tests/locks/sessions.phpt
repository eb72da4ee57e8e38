--TEST--
Requests of one session take turns, those of others and without one go on; each has its own session
--EXTENSIONS--
weft
session
--FILE--
<?php
require __DIR__ . '/../http/server.inc';

$directory = sys_get_temp_dir() . '/weft-sessions-' . getmypid();
mkdir($directory);
$server = new Server(<<<'PHP'
    $say = fn (string $what) => fwrite(STDOUT, $_GET['me'] . " $what\n");
    if (isset($_GET['id'])) {
        session_id($_GET['id']);
        session_start();
        $_SESSION['count'] = ($_SESSION['count'] ?? 0) + 1;
        $_SESSION['names'][] = $_GET['me'];
    }
    $say('in');
    Async\delay((int) ($_GET['ms'] ?? 0));
    $say('out');
    echo session_id(), ' ', json_encode($_SESSION ?? null), ' ', session_status() === PHP_SESSION_ACTIVE ? 'active' : 'none';
    PHP, ini: ["session.save_path=$directory", 'session.use_cookies=0', 'session.gc_probability=0']);
$ask = function (string $query) use ($server): Client {
    $client = $server->connect()->send("GET /?$query HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n");
    usleep(20_000);
    return $client;
};
$clients = [
    $ask('me=first&id=same&ms=200'),
    $ask('me=second&id=same&ms=1'),
    $ask('me=other&id=another&ms=1'),
    $ask('me=none'),
];
foreach ($clients as $client) {
    echo $client->response()->line(), "\n";
}
echo $server->stop();
array_map(unlink(...), glob("$directory/*"));
rmdir($directory);
?>
--EXPECT--
200 same {"count":1,"names":["first"]} active
200 same {"count":2,"names":["first","second"]} active
200 another {"count":1,"names":["other"]} active
200  null none
exit status 0
first in
other in
other out
none in
none out
first out
second in
second out
