--TEST--
However an answer ends, the client can tell a whole one from one that was cut
--EXTENSIONS--
weft
curl
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    $page = static fn (): string => bin2hex(random_bytes(100000));
    switch (strtok($_SERVER["REQUEST_URI"], "?")) {
        case "/whole": echo "page"; echo $page(); break;
        case "/exit": echo "exit"; echo $page(); exit;
        case "/fatal": echo $page(); flush(); ini_set("memory_limit", "20M"); str_repeat("a", 1 << 30); break;
        case "/fatal-early": echo str_repeat("page", 1000); trigger_error("early", E_USER_ERROR);
        case "/throw": echo $page(); flush(); throw new Exception("late");
        case "/finish": echo "finish"; echo $page(); fastcgi_finish_request(); echo $page(); fwrite(STDOUT, "goes on\n"); break;
        case "/callback": ob_start(static fn (string $text): string => strtoupper($text)); echo "callback"; echo $page(); break;
        case "/pieces": ob_start(static fn (string $text): string => $text, 1000); echo "pieces"; for ($i = 0; $i < 200; $i++) { echo bin2hex(random_bytes(500)); } break;
        case "/declared": header("Content-Length: 200008"); echo "declared"; echo $page(); break;
        case "/less": header("Content-Length: 200009"); echo "declared"; echo $page(); break;
        case "/more": header("Content-Length: 200007"); echo "declared"; echo $page(); break;
        case "/file": Weft\Http\send_file(__FILE__); break;
        case "/hang": ignore_user_abort(true); echo $page(); flush(); while (!connection_aborted()) { echo $page(); flush(); Async\delay(5); } fwrite(STDOUT, "hung up\n");
    }
');
$errors = [CURLE_OK => 'complete', CURLE_PARTIAL_FILE => 'cut', CURLE_RECV_ERROR => 'cut', CURLE_WRITE_ERROR => 'cut'];
foreach (['/whole', '/exit', '/fatal', '/fatal-early', '/throw', '/finish', '/callback', '/pieces', '/declared', '/less', '/more'] as $path) {
    echo $path, ':';
    foreach (['gzip', 'br', 'zstd'] as $coding) {
        $curl = curl_init("http://127.0.0.1:$server->port$path");
        $body = $coded = '';
        curl_setopt_array($curl, [
            CURLOPT_ENCODING => $coding,
            CURLOPT_WRITEFUNCTION => static function ($curl, string $piece) use (&$body): int { $body .= $piece; return strlen($piece); },
            CURLOPT_HEADERFUNCTION => static function ($curl, string $line) use (&$coded): int {
                $coded .= stripos($line, 'Content-Encoding') === 0 ? trim(substr($line, 17)) : '';

                return strlen($line);
            },
        ]);
        curl_exec($curl);
        $length = curl_errno($curl) !== 0 && strlen($body) > 150000 ? 'most' : strlen($body);
        echo ' ', curl_getinfo($curl, CURLINFO_RESPONSE_CODE), ' ', $coded, ' ', $errors[curl_errno($curl)] ?? curl_error($curl),
            $path === '/fatal-early' ? '' : " $length", ',';
    }
    echo "\n";
}
$curl = $server->connect()->send("GET /hang HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\n\r\n");
$curl->head();
$curl->chunk();
$curl->close();
$server->line() === "goes on\n" && $server->line() === "goes on\n" && $server->line() === "goes on\n" || die('?');
echo $server->line();
echo strtok($server->stop(), "\n"), "\n";
--EXPECT--
/whole: 200 gzip complete 200004, 200 br complete 200004, 200 zstd complete 200004,
/exit: 200 gzip complete 200004, 200 br complete 200004, 200 zstd complete 200004,
/fatal: 200 gzip cut most, 200 br cut most, 200 zstd cut most,
/fatal-early: 500 gzip complete, 500 br complete, 500 zstd complete,
/throw: 200 gzip complete 200000, 200 br complete 200000, 200 zstd complete 200000,
/finish: 200 gzip complete 200006, 200 br complete 200006, 200 zstd complete 200006,
/callback: 200 gzip complete 200008, 200 br complete 200008, 200 zstd complete 200008,
/pieces: 200 gzip complete 200006, 200 br complete 200006, 200 zstd complete 200006,
/declared: 200 gzip complete 200008, 200 br complete 200008, 200 zstd complete 200008,
/less: 200 gzip cut most, 200 br cut most, 200 zstd cut most,
/more: 200 gzip complete 200007, 200 br complete 200007, 200 zstd complete 200007,
hung up
exit status 0
