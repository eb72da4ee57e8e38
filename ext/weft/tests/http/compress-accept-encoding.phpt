--TEST--
An answer is coded as the client likes best, and plain for who does not ask, by RFC 9110, 12.5.3
--EXTENSIONS--
weft
curl
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('echo isset($_GET["short"]) ? "short" : str_repeat("All work and no play. ", 100);');
$ask = function (?string ...$accepted) use ($server): string {
    $headers = implode('', array_map(static fn (string $value): string => "Accept-Encoding: $value\r\n", array_filter($accepted, is_string(...))));
    $response = $server->connect()->send("GET / HTTP/1.1\r\nHost: a\r\n{$headers}Connection: close\r\n\r\n")->response();

    return $response->headers['content-encoding'] ?? "plain, {$response->framing()}";
};
foreach ([
    null, '', 'gzip', 'br', 'zstd', 'GZIP', 'x-gzip', 'deflate, compress', 'gzip, deflate, br, zstd', 'gzip, br', 'gzip,deflate',
    'br;q=0.5, gzip;q=0.9', 'br;q=0.5,gzip ; q=0.9 ,zstd;q=0', 'gzip;q=1.000, zstd;q=0.999', 'gzip;q=0.001',
    '*', '*;q=0.5, gzip;q=0', 'zstd;q=0, *', 'identity', 'identity, gzip;q=0.5', 'identity;q=0.5, gzip;q=0.2', 'identity;q=0.5, gzip;q=0.5',
    'gzip;q=0', '*;q=0', 'gzip;q=0, identity;q=0', 'gzip;q=2, br;q=x, zstd;q=0.1234', 'gzip;level=9', ',, ,gzip,', 'gzipped, xgzip, g',
] as $accepted) {
    printf("%-42s %s\n", $accepted === null ? '(none)' : "\"$accepted\"", $ask($accepted));
}
echo 'two headers: ', $ask('br;q=0.1', 'gzip'), "\n";

// what comes out is what was printed
foreach (['gzip', 'br', 'zstd'] as $coding) {
    $curl = curl_init("http://127.0.0.1:$server->port/");
    curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_ENCODING => $coding]);
    echo $coding, ' ', curl_exec($curl) === str_repeat('All work and no play. ', 100) ? 'the same' : 'something else', ' in ',
        curl_getinfo($curl, CURLINFO_SIZE_DOWNLOAD) < 200 ? 'few' : 'many', " bytes\n";
}
// too short to be worth it, unless nothing else is taken; and what is not there in any way that is taken is sent as it is
foreach (['gzip', 'gzip, identity;q=0', 'compress, identity;q=0'] as $accepted) {
    $response = $server->connect()->send("GET /?short HTTP/1.1\r\nHost: a\r\nAccept-Encoding: $accepted\r\n\r\n")->response();
    echo $accepted, ': ', $response->headers['content-encoding'] ?? $response->body, "\n";
}
echo $server->stop();
--EXPECT--
(none)                                     plain, length 2200
""                                         plain, length 2200
"gzip"                                     gzip
"br"                                       br
"zstd"                                     zstd
"GZIP"                                     gzip
"x-gzip"                                   gzip
"deflate, compress"                        plain, length 2200
"gzip, deflate, br, zstd"                  zstd
"gzip, br"                                 br
"gzip,deflate"                             gzip
"br;q=0.5, gzip;q=0.9"                     gzip
"br;q=0.5,gzip ; q=0.9 ,zstd;q=0"          gzip
"gzip;q=1.000, zstd;q=0.999"               gzip
"gzip;q=0.001"                             gzip
"*"                                        zstd
"*;q=0.5, gzip;q=0"                        zstd
"zstd;q=0, *"                              br
"identity"                                 plain, length 2200
"identity, gzip;q=0.5"                     plain, length 2200
"identity;q=0.5, gzip;q=0.2"               plain, length 2200
"identity;q=0.5, gzip;q=0.5"               gzip
"gzip;q=0"                                 plain, length 2200
"*;q=0"                                    plain, length 2200
"gzip;q=0, identity;q=0"                   plain, length 2200
"gzip;q=2, br;q=x, zstd;q=0.1234"          plain, length 2200
"gzip;level=9"                             plain, length 2200
",, ,gzip,"                                gzip
"gzipped, xgzip, g"                        plain, length 2200
two headers: gzip
gzip the same in few bytes
br the same in few bytes
zstd the same in few bytes
gzip: short
gzip, identity;q=0: short
compress, identity;q=0: short
exit status 0
