--TEST--
After finish_request() the client has its answer; the request goes on, and what it prints is lost
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    if (isset($_GET["finish"])) {
        ob_start();
        echo "answer";
        var_dump(fastcgi_finish_request() === true);
        fwrite(STDOUT, Weft\Http\finish_request() ? "twice\n" : "once\n");
        echo "lost"; flush();
        Async\delay(50);
        fwrite(STDOUT, "done\n");
    } else {
        fwrite(STDOUT, "next\n");
        echo "next";
    }
');
$client = $server->connect();
$client->send("GET /?finish HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n");
echo $client->response()->line(), "\n", $client->response()->line(), "\n";
echo $server->stop();
--EXPECT--
200 answer
200 next
exit status 0
once
next
done
