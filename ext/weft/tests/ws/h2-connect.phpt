--TEST--
WebSocket over HTTP/2: an extended CONNECT is the same request as an upgrade, is checked, and is no socket until the application says so
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/../http2/frames.inc';

$server = new Server(<<<'PHP'
    switch (parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
        case '/told':
            http_response_code(401);
            foreach (['REQUEST_METHOD', 'REQUEST_URI', 'HTTP_HOST', 'HTTP_UPGRADE', 'HTTP_CONNECTION', 'HTTP_SEC_WEBSOCKET_VERSION', 'SERVER_PROTOCOL'] as $key) {
                echo $_SERVER[$key] ?? '-', ' ';
            }
            break;
        case '/empty':
            http_response_code(204);
            break;
        case '/away':
            header('Location: /elsewhere', true, 302);
            break;
        default:
            echo 'a page';
    }
    PHP, ['access_log' => 1]);

function connect(string $path, array $more = []): string
{
    return H2::headers(1, H2::request([...[':method' => 'CONNECT', ':path' => $path, ':protocol' => 'websocket', 'sec-websocket-version' => '13'], ...$more]), H2::END_HEADERS);
}

/** @param string ...$frames what is sent behind the preface */
function answer(string ...$frames): string
{
    global $server;
    $client = new H2Client($server);
    $client->send(...$frames);
    do {
        $told[] = $words = $client->next();
    } while (!preg_match('/\(end\)|RST_STREAM|closed|nothing/', $words));
    $client->client->close();

    return implode(', ', $told);
}

$client = new H2Client($server);
while (($frame = $client->frame())['type'] !== H2::SETTINGS) {
}
foreach (str_split($frame['payload'], 6) as $setting) {
    ['id' => $id, 'value' => $value] = unpack('nid/Nvalue', $setting);
    if ($id === 8) {
        echo "SETTINGS_ENABLE_CONNECT_PROTOCOL $value\n";
    }
}
foreach ([
    'its request' => connect('/told?a=b'),
    'of any case' => connect('/told', [':protocol' => 'WebSocket']),
    'a page' => connect('/'),
    'an empty page' => connect('/empty'),
    'elsewhere' => connect('/away'),
    'with bytes before the answer' => connect('/') . H2::data(1, 'early', 0),
    'and an end before the answer' => connect('/') . H2::data(1, 'early'),
    'another protocol' => connect('/', [':protocol' => 'connect-udp']),
    'with a length' => connect('/', ['content-length' => '0']),
    'another host' => connect('/', ['host' => 'other']),
    'another scheme' => connect('/', [':scheme' => 'wss']),
    'a path that is none' => connect('/', [':path' => 'path']),
    'another method' => H2::headers(1, H2::request([':protocol' => 'websocket'])),
    'no path' => H2::headers(1, H2::field(':method', 'CONNECT') . H2::field(':scheme', 'http') . H2::field(':authority', 'test') . H2::field(':protocol', 'websocket')),
    'no scheme' => H2::headers(1, H2::field(':method', 'CONNECT') . H2::field(':path', '/') . H2::field(':authority', 'test') . H2::field(':protocol', 'websocket')),
    'no host' => H2::headers(1, H2::field(':method', 'CONNECT') . H2::field(':path', '/') . H2::field(':scheme', 'http') . H2::field(':protocol', 'websocket')),
    'two protocols' => H2::headers(1, H2::request([':method' => 'CONNECT', [':protocol', 'websocket'], [':protocol', 'websocket']])),
    'fields of HTTP/1.1' => H2::get(1, '/told', ['upgrade' => 'websocket', 'connection' => 'upgrade']),
    'a CONNECT as it was' => H2::headers(1, H2::field(':method', 'CONNECT') . H2::field(':authority', 'test:80')),
] as $what => $frames) {
    echo "$what: ", answer($frames), "\n";
}
preg_match_all('/(?:GET|CONNECT) \S+ \d+/', $server->stop(), $log); // who is not served is in the log as any other request
echo implode(', ', array_unique($log[0])), "\n";
--EXPECT--
SETTINGS_ENABLE_CONNECT_PROTOCOL 1
its request: 1: 401, 1: "GET \/told?a=b test websocket upgrade 13 HTTP\/2.0 " (end)
of any case: 1: 401, 1: "GET \/told test websocket upgrade 13 HTTP\/2.0 " (end)
a page: 1: 405, 1: "a page" (end)
an empty page: 1: 405 (end)
elsewhere: 1: 302 (end)
with bytes before the answer: 1: 405, 1: "a page" (end)
and an end before the answer: 1: 405, 1: "a page" (end)
another protocol: 1: 501, 1: "The only :protocol that a CONNECT can ask for here is \"websocket\".\n" (end)
with a length: 1: 400, 1: "A CONNECT has no body, and no Content-Length.\n" (end)
another host: 1: 400, 1: ":authority and the Host header name different hosts.\n" (end)
another scheme: 1: 400, 1: "The scheme is neither http nor https.\n" (end)
a path that is none: 1: RST_STREAM PROTOCOL_ERROR
another method: 1: RST_STREAM PROTOCOL_ERROR
no path: 1: RST_STREAM PROTOCOL_ERROR
no scheme: 1: RST_STREAM PROTOCOL_ERROR
no host: 1: RST_STREAM PROTOCOL_ERROR
two protocols: 1: RST_STREAM PROTOCOL_ERROR
fields of HTTP/1.1: 1: RST_STREAM PROTOCOL_ERROR
a CONNECT as it was: 1: 400, 1: "The request line is not \"METHOD target HTTP\/version\".\n" (end)
GET /told 401, GET / 405, GET /empty 405, GET /away 302, GET / 501, GET / 400
