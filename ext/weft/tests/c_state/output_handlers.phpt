--TEST--
ob_gzhandler() and mb_output_handler() of interleaved requests share neither compressor nor converter
--EXTENSIONS--
weft
mbstring
zlib
--FILE--
<?php
require __DIR__ . '/../http/server.inc';

$server = new Server(<<<'PHP'
    $me = $_GET['me'];
    if (isset($_GET['convert'])) {
        mb_http_output($_GET['convert']);
        header('Content-Type: text/plain');
        ob_start('mb_output_handler', 1);
        for ($i = 0; $i < 3; $i++) {
            echo 'é';
            usleep(2000);
        }
        return;
    }
    ob_start('ob_gzhandler', 1);
    for ($i = 0; $i < 3; $i++) {
        echo str_repeat("$me $i ", 300);
        usleep(2000);
    }
    PHP);
$ask = fn (string $path, string $headers = '') => $server->connect()
    ->send("GET $path HTTP/1.1\r\nHost: test\r\n{$headers}Connection: close\r\n\r\n");
$decode = ['gzip' => 'gzdecode', 'deflate' => 'gzuncompress', '' => 'strval'];
$clients = [];
foreach (['gzip', '', 'gzip', 'deflate', ''] as $me => $encoding) {
    $clients[$me] = [$ask("/?me=$me", $encoding === '' ? '' : "Accept-Encoding: $encoding\r\n"), $encoding];
}
foreach ($clients as $me => [$client, $encoding]) {
    $response = $client->response();
    $right = str_repeat("$me 0 ", 300) . str_repeat("$me 1 ", 300) . str_repeat("$me 2 ", 300);
    echo $response->headers['content-encoding'] ?? 'plain', ': ';
    var_dump($decode[$encoding]($response->body) === $right);
}
$clients = [];
foreach (['EUC-JP', 'UTF-16BE', 'ISO-8859-1'] as $encoding) {
    $clients[$encoding] = $ask("/?me=x&convert=$encoding");
}
foreach ($clients as $encoding => $client) {
    $response = $client->response();
    echo $encoding, ' ', $response->headers['content-type'], ' ', bin2hex($response->body), "\n";
}
echo $server->stop();
?>
--EXPECTF--
gzip: bool(true)
plain: bool(true)
gzip: bool(true)
deflate: bool(true)
plain: bool(true)
EUC-JP text/plain;%Scharset=%s 8fabb18fabb18fabb1
UTF-16BE text/plain;%Scharset=%s 00e900e900e9
ISO-8859-1 text/plain;%Scharset=%s e9e9e9
exit status 0
