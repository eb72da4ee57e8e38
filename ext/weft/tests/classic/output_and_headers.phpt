--TEST--
Classic mode: output, headers, status and exit status are the request's own, also when it has ended all buffers and sent a part
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$site = new Site([
    'index.php' => '$who = $_GET["who"];
        header("X-Who: $who"); header("X-Gone: $who"); setcookie("c$who", $who); http_response_code(210 + $who);
        ob_start(fn ($text) => "($text)"); ob_start(fn ($text) => "[$text]"); echo "first $who";' . Site::meet('a', 4) . '
        if ($who % 2) { header_remove("X-Gone"); header("X-Late: $who"); }
        while (ob_get_level()) { ob_end_flush(); }
        if ($who > 2) { flush(); }' . Site::meet('b', 4) . '
        echo " ", headers_sent($file, $line) ? "sent at $line" : "not sent", " ", http_response_code(), " ", count(headers_list()), " ", connection_status();
        ob_start(fn ($text) => "<$text>"); echo " last $who";' . Site::meet('c', 4) . 'exit((int) $who);',
], ['expose_php=0']);
$clients = array_map(fn (int $who): Client => $site->begin("/?who=$who"), [1, 2, 3, 4]);
foreach ($clients as $client) {
    $response = $client->response();
    $headers = array_intersect_key($response->headers, ['x-who' => 1, 'x-gone' => 1, 'x-late' => 1, 'set-cookie' => 1]);
    echo $response->line(), ' ', json_encode($headers), "\n";
}
echo $site->stop();
?>
--EXPECT--
211 ([first 1]) sent at 8 211 4 0< last 1> {"x-who":"1","set-cookie":"c1=1","x-late":"1"}
212 ([first 2]) sent at 8 212 4 0< last 2> {"x-who":"2","x-gone":"2","set-cookie":"c2=2"}
213 ([first 3]) sent at 8 213 4 0< last 3> {"x-who":"3","set-cookie":"c3=3","x-late":"3"}
214 ([first 4]) sent at 8 214 4 0< last 4> {"x-who":"4","x-gone":"4","set-cookie":"c4=4"}
exit status 0
