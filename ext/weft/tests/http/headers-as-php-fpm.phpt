--TEST--
A 304 has no Content-Type; getallheaders() shows those headers only that $_SERVER has
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server(<<<'PHP'
    if (isset($_GET['status'])) {
        header('ETag: "a"');
        isset($_GET['type']) && header('Content-Type: text/css');
        http_response_code((int) $_GET['status']);
        return;
    }
    $headers = getallheaders();
    unset($headers['Host'], $headers['Connection']);
    $variables = array_filter($_SERVER, fn ($name) => str_starts_with($name, 'HTTP_') && !in_array($name, ['HTTP_HOST', 'HTTP_CONNECTION']), ARRAY_FILTER_USE_KEY);
    echo json_encode([$headers, $variables]);
    PHP);
foreach (['304', '304&type', '200&type', '404'] as $query) {
    $response = $server->connect()->send("GET /?status=$query HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")->response();
    echo "$query: {$response->status} {$response->headers['etag']} ", $response->headers['content-type'] ?? 'no type', "\n";
}
$long = str_repeat('x', 300);
echo $server->get('/', "X-Shown: 1\r\nX_Shown: 2\r\nX.Shown: 3\r\nProxy: 4\r\nX-Shown: 5\r\nx~y: 6\r\nProxy-Authorization: 7\r\n$long: 8\r\n"), "\n";
echo $server->stop();
?>
--EXPECT--
304: 304 "a" no type
304&type: 304 "a" no type
200&type: 200 "a" text/css;charset=UTF-8
404: 404 "a" text/html; charset=UTF-8
200 [{"X-Shown":"1, 5","Proxy-Authorization":"7"},{"HTTP_X_SHOWN":"1, 5","HTTP_PROXY_AUTHORIZATION":"7"}]
exit status 0
