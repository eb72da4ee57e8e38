--TEST--
Over HTTP/2 answers are compressed and bodies decompressed likewise
--EXTENSIONS--
weft
curl
--SKIPIF--
<?php
if (!defined('CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE') || !(curl_version()['features'] & CURL_VERSION_HTTP2)) { echo 'skip no HTTP/2 in curl'; }
?>
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    if (isset($_GET["fatal"])) { echo bin2hex(random_bytes(100000)); flush(); ini_set("memory_limit", "20M"); str_repeat("a", 1 << 30); }
    if ($_SERVER["REQUEST_METHOD"] === "POST") {
        echo strlen(file_get_contents("php://input")), " ", $_SERVER["CONTENT_LENGTH"] ?? "none", " ", $_SERVER["HTTP_CONTENT_ENCODING"] ?? "plain";
        return;
    }
    echo str_repeat("All work and no play. ", isset($_GET["long"]) ? 10000 : 100);
', ini: ['weft.http_decompress=gzip']);
$ask = static function (string $path, array $options) use ($server): void {
    $told = [];
    $curl = curl_init("http://127.0.0.1:$server->port$path");
    curl_setopt_array($curl, $options + [
        CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_HEADERFUNCTION => static function ($curl, string $line) use (&$told): int {
            if (preg_match('/^(content-encoding|accept-encoding|vary): (.*)\r/', $line, $parts) === 1) {
                $told[] = $parts[2];
            }

            return strlen($line);
        },
    ]);
    $body = curl_exec($curl);
    echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE), ' ', implode(', ', $told), ' ', match (true) {
        $body === false => 'cut',
        $body === str_repeat('All work and no play. ', 100) => 'a page',
        $body === str_repeat('All work and no play. ', 10000) => 'a stream',
        default => trim($body),
    }, "\n";
};
foreach (['gzip', 'br', 'zstd'] as $coding) {
    $ask('/', [CURLOPT_ENCODING => $coding]);
    $ask('/?long', [CURLOPT_ENCODING => $coding]);
    $ask('/?fatal', [CURLOPT_ENCODING => $coding]);
}
$body = gzencode(str_repeat('a', 50000));
foreach (['gzip' => [$body, substr($body, 0, -1), 'abcdefghijklmnopqrst'], 'identity' => ['abc'], 'br' => ['abc', str_repeat('a', 3_000_000)]] as $coding => $bodies) {
    foreach ($bodies as $body) {
        $ask('/', [CURLOPT_POSTFIELDS => $body, CURLOPT_HTTPHEADER => ["Content-Encoding: $coding"]]);
    }
}
echo strtok($server->stop(), "\n"), "\n";
--EXPECT--
200 Accept-Encoding, gzip a page
200 Accept-Encoding, gzip a stream
200 Accept-Encoding, gzip cut
200 Accept-Encoding, br a page
200 Accept-Encoding, br a stream
200 Accept-Encoding, br cut
200 Accept-Encoding, zstd a page
200 Accept-Encoding, zstd a stream
200 Accept-Encoding, zstd cut
200  50000 50000 plain
400  The end of the compressed request body is missing.
400  The request body is not what its Content-Encoding says.
200  3 3 identity
415 gzip A body's Content-Encoding must be one of gzip (weft.http_decompress).
415 gzip A body's Content-Encoding must be one of gzip (weft.http_decompress).
exit status 0
