--TEST--
headers_send(103), as Symfony calls it, sends headers before there is an answer: in HTTP/2, in HTTP/1.1, not in HTTP/1.0
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/frames.inc';

$server = new Server(<<<'PHP'
    header('Link: </app.css>; rel=preload; as=style');
    header('Content-Length: 6');
    $sent = headers_send(103);
    header('X-Later: yes');
    headers_send(102);
    echo $sent, ' done';
    flush();
    headers_send(103);
    try {
        headers_send(101);
    } catch (ValueError $e) {
        fwrite(STDOUT, $e->getMessage() . "\n");
    }
    PHP);
foreach (['1.1', '1.0'] as $version) {
    $client = $server->connect()->send("GET / HTTP/$version\r\nHost: a\r\nConnection: close\r\n\r\n");
    while ($response = $client->response()) {
        echo $response->statusLine, ' ', $response->headers['link'] ?? '-', ', ', $response->headers['x-later'] ?? '-', ', ',
            $response->headers['content-length'] ?? '-', ', ', isset($response->headers['x-powered-by']) ? 'made by PHP' : '-', ' ', $response->body, "\n";
    }
    echo $server->line();
}
$client = new H2Client($server);
$client->send(H2::get(1));
echo implode("\n", $client->until('1: "" (end)')), "\n";
echo $server->stop();
--EXPECT--
HTTP/1.1 103 Early Hints </app.css>; rel=preload; as=style, -, -, - 
HTTP/1.1 102 Processing </app.css>; rel=preload; as=style, yes, -, - 
HTTP/1.1 200 OK </app.css>; rel=preload; as=style, yes, 6, made by PHP 1 done
headers_send(): Argument #1 ($status) must be a status from 100 to 599, and not 101: protocols are not switched
HTTP/1.1 200 OK </app.css>; rel=preload; as=style, yes, 6, made by PHP 1 done
headers_send(): Argument #1 ($status) must be a status from 100 to 599, and not 101: protocols are not switched
1: 103
1: 102
1: 200
1: "1 done"
1: "" (end)
exit status 0
headers_send(): Argument #1 ($status) must be a status from 100 to 599, and not 101: protocols are not switched
