--TEST--
A coroutine that outlives its request keeps the request's values, and is cancelled when its limit has passed
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$before = 'final class State {
        public string $who = "boot";
        public static array $list = ["boot"];
    }
    $state = new State();
    ';
$server = new Server(<<<'PHP'
    global $state;
    $me = $_GET['me'] ?? null;
    if ($me === null) {
        echo $state->who, implode(State::$list);
        return;
    }
    $state->who = $me;
    State::$list[] = $me;
    Async\spawn(function () use ($me) {
        global $state;
        $say = fn (string $what) => fwrite(STDOUT, "$me $what $state->who " . implode(' ', State::$list) . "\n");
        try {
            Async\delay($me === 'short' ? 20 : 60_000);
            $say('goes on as');
        } catch (Async\AsyncCancellation $e) {
            $say('hears: ' . $e->getMessage() . ' ' . count($e->getTrace()));
            throw $e;
        }
    });
    echo "answer to $me";
    PHP, ['linger_ms' => 100], before: $before);
foreach (['/?me=long', '/?me=short', '/'] as $path) {
    echo $server->get($path), "\n";
}
usleep(60_000);
echo $server->get('/'), "\n";
usleep(200_000);
echo $server->get('/'), "\n";
echo $server->stop();
?>
--EXPECT--
200 answer to long
200 answer to short
200 bootboot
200 bootboot
200 bootboot
exit status 0
short goes on as short boot short
long hears: The request has been over for 100 ms (weft.http_linger_ms) 0 long boot long
weft: GET /: 1 coroutine still ran 100 ms after its end and will be cancelled (weft.http_linger_ms)
