--TEST--
What coroutines of a request echo goes to its buffers: headers can still be set, and its handlers see all of it
--EXTENSIONS--
weft
zlib
--FILE--
<?php
require __DIR__ . '/../http/server.inc';

$handler = <<<'PHP'
    $render = fn (string $name) => Async\spawn(function () use ($name) {
        ob_start();
        echo "<$name ";
        Async\delay(random_int(1, 3));
        echo "$name>";
        return ob_get_clean();
    });
    $do = $_GET['do'];
    ob_start(null, 4096); // as output_buffering does
    if ($do === 'gzip') {
        ob_start('ob_gzhandler');
    }
    echo 'from ', ob_get_level(), ': ';
    if ($do === 'fatal') {
        ob_start();
        echo 'kept, ';
        $task = Async\spawn(function () {
            ob_start();
            echo 'open';
            Async\delay(1);
            $none = null;
            eval('function twice() {} function twice() {}');
        });
        Async\delay(20);
        return;
    }
    [$pages] = Async\await_all(array_map($render, ['a', 'b', 'c', 'd', 'e', 'f']));
    Async\await(Async\spawn(function () {
        echo 'echoed, ';
        ob_start(fn (string $text) => strrev($text));
        echo ' ,tfel';
        Async\delay(2);
    }));
    header('X-Late: yes');
    echo implode($pages);
    if ($do === 'outlives') {
        Async\spawn(function () {
            ob_start(fn (string $text) => fwrite(STDOUT, "ended with $text\n") ? '' : '');
            echo 'some';
            Async\delay(20);
            echo 'thing, ', ob_get_level();
        });
    }
    PHP;
$server = new Server($handler);
$begin = fn (string $do) => $server->connect()->send("GET /?do=$do HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n");
foreach (array_map($begin, ['plain', 'gzip', 'plain', 'outlives', 'gzip']) as $client) {
    $response = $client->response();
    $gzip = ($response->headers['content-encoding'] ?? '') === 'gzip';
    echo $response->status, ' ', $response->headers['x-late'] ?? 'no header', ' ', $gzip ? 'gzip ' : '',
        $gzip ? gzdecode($response->body) : $response->body, "\n";
}
echo $server->line();
echo $begin('fatal')->response()->status, "\n";
echo preg_replace(['/ in .*/', '/redeclare function /'], ['', 'redeclare '], $server->stop()) /* PHP 8.4 says so */;
?>
--EXPECT--
200 yes from 1: echoed, left, <a a><b b><c c><d d><e e><f f>
200 yes gzip from 2: echoed, left, <a a><b b><c c><d d><e e><f f>
200 yes from 1: echoed, left, <a a><b b><c c><d d><e e><f f>
200 yes from 1: echoed, left, <a a><b b><c c><d d><e e><f f>
200 yes gzip from 2: echoed, left, <a a><b b><c c><d d><e e><f f>
ended with something, 1
500
exit status 0
PHP Fatal error:  Cannot redeclare twice() (previously declared
