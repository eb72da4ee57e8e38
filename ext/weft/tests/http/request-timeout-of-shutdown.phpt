--TEST--
weft.http_request_timeout_ms: a shutdown function that waits or computes without end is ended, and so is what follows it
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$handler = <<<'PHP'
    $hang = fn (string $how) => match ($how) {
        'waits' => sleep(60),
        'delays' => Async\delay(60_000),
        'computes' => (function () { while (true) { } })(),
        'refuses' => (function () {
            while (true) {
                (function () {
                    try {
                        Async\delay(60_000);
                    } finally {
                        return;
                    }
                })();
            }
        })(),
        default => null,
    };
    if (isset($_GET['in'])) {
        register_shutdown_function(function () use ($hang) {
            try {
                $hang($_GET['in']);
            } finally {
                fwrite(STDOUT, "{$_GET['in']}: finally\n");
            }
        });
        register_shutdown_function(fn () => fwrite(STDOUT, "the one behind it\n"));
    }
    if (isset($_GET['object'])) {
        $GLOBALS['kept'] = new class($hang, $_GET['object']) {
            public function __construct(private $hang, private $how) {}
            public function __destruct() { ($this->hang)($this->how); }
        };
    }
    $hang($_GET['first'] ?? '');
    if ($_GET === []) {
        header('X-Weft-Timeout: 60');
    }
    echo 'handled';
    PHP;

// only one at a time: who does not end keeps the next one waiting for ever
$server = new Server($handler, ['request_timeout_ms' => 300, 'linger_ms' => 100, 'concurrency' => 1]);
$queries = ['in=waits', 'in=delays', 'in=computes', 'in=refuses', 'first=waits&in=waits', 'first=computes&in=computes',
    'in=waits&object=waits', 'object=computes', ''];
foreach ($queries as $query) {
    echo "$query: ", rtrim($server->get("/?$query")), "\n";
}
echo preg_replace('/(Command line code)(:| on line )\d+/', '$1', $server->stop());
?>
--EXPECT--
in=waits: 504 The request took longer than 0.3 s (--request-timeout).
in=delays: 504 The request took longer than 0.3 s (--request-timeout).
in=computes: 504 The request took longer than 0.3 s (--request-timeout).
in=refuses: 504 The request took longer than 0.3 s (--request-timeout).
first=waits&in=waits: 504 The request took longer than 0.3 s (--request-timeout).
first=computes&in=computes: 504 The request took longer than 0.3 s (--request-timeout).
in=waits&object=waits: 504 The request took longer than 0.3 s (--request-timeout).
object=computes: 504 The request took longer than 0.3 s (--request-timeout).
: 200 handled
exit status 0
waits: finally
delays: finally
computes: finally
waits: finally
weft: GET /: nothing came of it for 0.3 s (--request-timeout): 504 was sent; it waited (sleep) in Command line code and is cancelled
weft: GET /: nothing came of it for 0.3 s (--request-timeout): 504 was sent; it waited (delay) in Command line code and is cancelled
weft: GET /: nothing came of it for 0.3 s (--request-timeout): 504 was sent; it computed in Command line code and is cancelled
weft: GET /: nothing came of it for 0.3 s (--request-timeout): 504 was sent; it waited (delay) in Command line code and is cancelled
weft: GET /: still ran 100 ms after it was cancelled (weft.http_linger_ms), and is ended as by exit()
weft: GET /: nothing came of it for 0.3 s (--request-timeout): 504 was sent; it waited (sleep) in Command line code and is cancelled
weft: GET /: still ran 100 ms after it was cancelled (weft.http_linger_ms), and is ended as by exit()
weft: GET /: nothing came of it for 0.3 s (--request-timeout): 504 was sent; it computed in Command line code and is cancelled
weft: GET /: still ran 100 ms after it was cancelled (weft.http_linger_ms), and is ended as by exit()
weft: GET /: nothing came of it for 0.3 s (--request-timeout): 504 was sent; it waited (sleep) in Command line code and is cancelled
weft: GET /: still ran 100 ms after it was cancelled (weft.http_linger_ms), and is ended as by exit()
weft: GET /: nothing came of it for 0.3 s (--request-timeout): 504 was sent; it computed in Command line code and is cancelled
