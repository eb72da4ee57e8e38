--TEST--
What a client sends can neither begin a record of the log, whose other lines are indented, nor steer the terminal that shows it
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    if (isset($_GET["linger"])) {
        Async\spawn(fn () => usleep(100_000));
        return;
    }
    if (isset($_GET["throw"])) {
        throw new RuntimeException($_GET["throw"], 0, new LogicException($_GET["throw"]));
    }
    error_log("<" . $_GET["text"] . ">");
    trigger_error($_GET["text"]);
    header("X-Text:" . $_GET["text"]);
', ['access_log' => 1, 'linger_ms' => 10]);
foreach (["\n[12:00:00] PHP Fatal error:  forged", "\r\n12:00:00 GET /forged 200 1.0 ms", "a\e[2Jb\e]0;title\x07c", "\u{9b}31m\x9b31m\x7f\x08\t",
    "\u{e9}\u{20ac}\u{1f600}", "\xe2\x82 \xff \xc3", "Weft\\Bridge\\x"] as $text) {
    $server->get('/' . rawurlencode("p$text") . '?text=' . rawurlencode($text));
}
$server->get('/?throw=' . rawurlencode("first\nweft: forged\e[31m\n#0 forged"));
$server->get("/secret\\path?linger=password");
usleep(50_000);
$log = preg_replace(
    ['/ in Command line code(:| on line )\d+/', '/\d+\.\d ms/', '/^\d\d:\d\d:\d\d (?=[A-Z])/m', '/^    #0 \[internal.*$/m'],
    ['', 'N ms', '', '    #0 main'],
    $server->stop(),
);
echo $log;
?>
--EXPECT--
exit status 0
GET /p%0A%5B12%3A00%3A00%5D%20PHP%20Fatal%20error%3A%20%20forged 200 N ms
GET /p%0D%0A12%3A00%3A00%20GET%20%2Fforged%20200%201.0%20ms 200 N ms
GET /pa%1B%5B2Jb%1B%5D0%3Btitle%07c 200 N ms
GET /p%C2%9B31m%9B31m%7F%08%09 200 N ms
GET /p%C3%A9%E2%82%AC%F0%9F%98%80 200 N ms
GET /p%E2%82%20%FF%20%C3 200 N ms
GET /pWeft%5CBridge%5Cx 200 N ms
GET / 500 N ms
GET /secret\x5cpath 200 N ms
<
    [12:00:00] PHP Fatal error:  forged>
PHP Notice:  
    [12:00:00] PHP Fatal error:  forged
PHP Warning:  Header may not contain more than a single header, new line detected
<\x0d
    12:00:00 GET /forged 200 N ms>
PHP Notice:  \x0d
    12:00:00 GET /forged 200 N ms
PHP Warning:  Header may not contain more than a single header, new line detected
<a\x1b[2Jb\x1b]0;title\x07c>
PHP Notice:  a\x1b[2Jb\x1b]0;title\x07c
PHP Warning:  header(): A header must not contain control characters; it was not sent
<\xc2\x9b31m\x9b31m\x7f\x08\x09>
PHP Notice:  \xc2\x9b31m\x9b31m\x7f\x08\x09
PHP Warning:  header(): A header must not contain control characters; it was not sent
<é€😀>
PHP Notice:  é€😀
<\xe2\x82 \xff \xc3>
PHP Notice:  \xe2\x82 \xff \xc3
<Weft\Bridge\x>
PHP Notice:  Weft\Bridge\x
PHP Fatal error:  Uncaught LogicException: first
    weft: forged\x1b[31m
    #0 forged
    Stack trace:
    #0 main
    #1 {main}
    
    Next RuntimeException: first
    weft: forged\x1b[31m
    #0 forged
    Stack trace:
    #0 main
    #1 {main}
      thrown
weft: GET /secret\path: 1 coroutine still ran 10 ms after its end and will be cancelled (weft.http_linger_ms)
