--TEST--
weft.http_request_timeout_ms: 504 or a cut at the limit, and the request ends where it waits or computes
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$handler = <<<'PHP'
    $say = fn (string $what) => fwrite(STDOUT, "{$_GET['me']} $what\n");
    register_shutdown_function(function () use ($say) {
        Async\delay(1);
        $say('shutdown ' . connection_status());
    });
    switch ($_GET['me']) {
        case 'waits':
            try {
                header('X-Own: lost');
                echo 'lost too';
                Async\delay(60_000);
            } catch (Throwable $e) {
                $say('never caught: ' . $e::class);
            } finally {
                Async\delay(1);
                $say('finally');
            }
        case 'computes':
            while (true) {
            }
        case 'begun':
            echo 'begun';
            flush();
            sleep(60);
        case 'stream':
            for ($i = 0; $i < 5; $i++) {
                Async\delay(150);
                echo $i;
                flush();
            }
            return;
        case 'child':
            $child = Async\spawn(function () use ($say) {
                try {
                    while (true) {
                    }
                } catch (Async\AsyncCancellation $e) {
                    $say('child: ' . $e->getMessage());
                    throw $e;
                }
            });
            Async\await($child);
        case 'autoloader':
            spl_autoload_register(function () {
                while (true) {
                }
            });
            class_exists('Missing');
        case 'longer':
            header('X-Weft-Timeout: 60');
            Async\delay(600);
            echo 'its time';
            return;
        case 'never':
            header('x-weft-timeout:0');
            Async\delay(600);
            echo 'no limit';
            return;
        case 'wrong':
            header('X-Weft-Timeout: soon');
            Async\delay(60_000);
        case 'tiny':
            header('X-Weft-Timeout: 1e-12');
            Async\delay(60_000);
        case 'stays':
            while (true) {
                (function () {
                    try {
                        Async\delay(60_000);
                    } finally {
                        return;
                    }
                })();
            }
        case 'finished':
            echo 'done';
            Weft\Http\finish_request();
            Async\delay(600);
            $say('goes on');
    }
    PHP;

$serve = function (array $names, array $ini = [], int $linger = 100) use ($handler): void {
    $server = new Server($handler, ['request_timeout_ms' => 400, 'linger_ms' => $linger], $ini);
    foreach ($names as $name) {
        $client = $server->connect()->send("GET /x?me=$name HTTP/1.1\r\nHost: a\r\n\r\n");
        $response = $client->response();
        echo $response->line(), isset($response->headers['x-own']) || isset($response->headers['x-weft-timeout']) ? ' with headers' : '', "\n";
        do {
            echo $line = $server->line();
        } while (!str_contains($line, 'shutdown'));
        if ($name === 'waits') {
            echo 'same connection: ', $client->send("GET /x?me=longer HTTP/1.1\r\nHost: a\r\n\r\n")->response()->line(), "\n", $server->line();
        }
    }
    echo preg_replace('/(Command line code)(:| on line )\d+/', '$1', $server->stop());
};
$serve(['waits', 'computes', 'begun', 'stream', 'child', 'autoloader', 'never', 'wrong', 'tiny', 'stays']);
echo "-- after the answer\n";
$serve(['finished'], linger: 60_000);
echo "-- without time slices\n";
$serve(['computes'], ['weft.time_slice=0']);
?>
--EXPECT--
504 The request took longer than 0.4 s (--request-timeout).

waits finally
waits shutdown 2
same connection: 200 its time
longer shutdown 0
504 The request took longer than 0.4 s (--request-timeout).

computes shutdown 2
200 begun (cut short)
begun shutdown 2
200 01234
stream shutdown 0
504 The request took longer than 0.4 s (--request-timeout).

child child: The request has taken too long (--request-timeout)
child shutdown 2
504 The request took longer than 0.4 s (--request-timeout).

autoloader shutdown 2
200 no limit
never shutdown 0
504 The request took longer than 0.4 s (--request-timeout).

wrong shutdown 2
504 The request took longer than 1.0e-9 s (--request-timeout).

tiny shutdown 2
504 The request took longer than 0.4 s (--request-timeout).

stays shutdown 2
exit status 0
weft: GET /x: nothing came of it for 0.4 s (--request-timeout): 504 was sent; it waited (delay) in Command line code and is cancelled
weft: GET /x: nothing came of it for 0.4 s (--request-timeout): 504 was sent; it computed in Command line code and is cancelled
weft: GET /x: nothing came of it for 0.4 s (--request-timeout): its answer was cut off; it waited (sleep) in Command line code and is cancelled
weft: GET /x: nothing came of it for 0.4 s (--request-timeout): 504 was sent; it waited (coroutine) in Command line code and is cancelled
weft: GET /x: nothing came of it for 0.4 s (--request-timeout): 504 was sent; it computed in Command line code and is cancelled
PHP Warning:  header(): X-Weft-Timeout must be a number of seconds from 0 to 86400, "soon" given; it changes nothing in Command line code
weft: GET /x: nothing came of it for 0.4 s (--request-timeout): 504 was sent; it waited (delay) in Command line code and is cancelled
weft: GET /x: nothing came of it for 1e-09 s (--request-timeout): 504 was sent; it waited (delay) in Command line code and is cancelled
weft: GET /x: nothing came of it for 0.4 s (--request-timeout): 504 was sent; it waited (delay) in Command line code and is cancelled
weft: GET /x: still ran 100 ms after it was cancelled (weft.http_linger_ms), and is ended as by exit()
-- after the answer
200 done
finished goes on
finished shutdown 0
exit status 0
-- without time slices
504 The request took longer than 0.4 s (--request-timeout).

computes shutdown 2
exit status 0
weft: GET /x: nothing came of it for 0.4 s (--request-timeout): 504 was sent; it computed in Command line code and is cancelled
