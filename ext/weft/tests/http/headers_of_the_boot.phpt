--TEST--
Headers and a status that the boot sets are in each response, unless the request sets others; cookies are not
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$before = <<<'PHP'
    Weft\Server\become_server();
    header('X-Frame-Options: DENY');
    header('Content-Type: application/json');
    header('X-Two: 1');
    header('X-Two: 2', false);
    header('X-Gone: never');
    header_remove('X-Gone');
    header_remove('X-Powered-By');
    header('Set-Cookie: session=of-nobody');
    setcookie('another', 'of-nobody');
    http_response_code(203);
    PHP;
$server = new Server(<<<'PHP'
    switch ($_GET['do']) {
        case 'waits':
            header('X-Two: mine');
            Async\delay(10);
            break;
        case 'removes':
            header_remove('X-Frame-Options');
            http_response_code(201);
            break;
        case 'text':
            header('Content-Type: text/plain');
            setcookie('own', 'value');
            break;
    }
    echo implode(' | ', headers_list());
    PHP, ini: ['expose_php=1'], before: $before);
$begin = fn (string $do) => $server->connect()->send("GET /?do=$do HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
foreach (array_map($begin, ['waits', 'removes', 'text', 'plain']) as $client) {
    $response = $client->response();
    $sent = array_intersect_key($response->headers, array_flip(['x-frame-options', 'content-type', 'x-two', 'x-gone', 'x-powered-by', 'set-cookie']));
    ksort($sent);
    echo $response->line(), "\n    ", json_encode($sent, JSON_UNESCAPED_SLASHES), "\n";
}
echo $server->stop();
?>
--EXPECT--
203 X-Frame-Options: DENY | Content-Type: application/json | X-Two: mine
    {"content-type":"application/json","x-frame-options":"DENY","x-two":"mine"}
201 Content-Type: application/json | X-Two: 1 | X-Two: 2
    {"content-type":"application/json","x-two":"2"}
203 X-Frame-Options: DENY | X-Two: 1 | X-Two: 2 | Content-type: text/plain;charset=UTF-8 | Set-Cookie: own=value
    {"content-type":"text/plain;charset=UTF-8","set-cookie":"own=value","x-frame-options":"DENY","x-two":"2"}
203 X-Frame-Options: DENY | Content-Type: application/json | X-Two: 1 | X-Two: 2
    {"content-type":"application/json","x-frame-options":"DENY","x-two":"2"}
exit status 0