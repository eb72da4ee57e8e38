--TEST--
What is no request for a WebSocket, or one from others than it is for, is refused with an answer and an exception
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

$server = new Server(<<<'PHP'
    header('Set-Cookie: a=1');
    try {
        $socket = Weft\Http\WebSocket::accept(null, ['chat', 'news'],
            str_contains($_SERVER['REQUEST_URI'], 'friends') ? ['*.friend.test', 'other.test:8080'] : null);
        $socket->send('protocol ' . $socket->protocol);
    } catch (Weft\Http\WebSocketException $e) {
        echo 'nobody reads this';
        fwrite(STDOUT, get_class($e) . ': ' . $e->getMessage() . "\n");
    }
    PHP);

function attempt(Server $server, string $what, array $headers = [], string $line = '', string $path = '/'): void
{
    $client = $server->connect()->send(Ws::request($path, $headers + ['Sec-WebSocket-Protocol' => 'chat'], $line));
    $response = $client->response(str_starts_with($line, 'HEAD'));
    echo "$what: $response->status ", trim($response->body), "\n";
    foreach (['upgrade', 'sec-websocket-version', 'sec-websocket-protocol', 'retry-after'] as $name) {
        if (isset($response->headers[$name])) {
            echo "  $name: {$response->headers[$name]}\n";
        }
    }
    if ($response->status !== 101) {
        echo '  ', $server->line();
    }
}

attempt($server, 'no upgrade', ['Upgrade' => null]);
attempt($server, 'another upgrade', ['Upgrade' => 'h2c']);
attempt($server, 'no connection', ['Connection' => 'keep-alive']);
attempt($server, 'POST', [], 'POST / HTTP/1.1');
attempt($server, 'HEAD', [], 'HEAD / HTTP/1.1');
attempt($server, 'HTTP/1.0', [], 'GET / HTTP/1.0');
attempt($server, 'version 8', ['Sec-WebSocket-Version' => '8']);
attempt($server, 'no version', ['Sec-WebSocket-Version' => null]);
attempt($server, 'no key', ['Sec-WebSocket-Key' => null]);
attempt($server, 'short key', ['Sec-WebSocket-Key' => base64_encode('fifteen bytes..')]);
attempt($server, 'bad key', ['Sec-WebSocket-Key' => '!!!!!!!!!!!!!!!!!!!!!!==']);
attempt($server, 'no protocol', ['Sec-WebSocket-Protocol' => null]);
attempt($server, 'other protocols', ['Sec-WebSocket-Protocol' => 'Chat, xchat, chats']);
attempt($server, 'foreign page', ['Origin' => 'https://evil.test']);
attempt($server, 'page without an origin', ['Origin' => 'null']);
attempt($server, 'foreign page, and no host', ['Origin' => 'http://', 'Host' => '']);
attempt($server, 'foreign port of a friend', ['Origin' => 'https://other.test'], '', '/friends');
attempt($server, 'own page among friends', ['Origin' => 'http://test'], '', '/friends');

attempt($server, 'own page', ['Origin' => 'http://TEST']);
attempt($server, 'own page of another port', ['Origin' => 'http://test:8080', 'Host' => 'test:9000']);
attempt($server, 'own page of an address', ['Origin' => 'http://[::1]:8080', 'Host' => '[::1]']);
attempt($server, 'a friend', ['Origin' => 'https://www.friend.test:99'], '', '/friends');
attempt($server, 'a friend in capitals', ['Origin' => 'https://WWW.Friend.TEST'], '', '/friends');
attempt($server, 'a port of a friend', ['Origin' => 'https://other.test:8080'], '', '/friends');
attempt($server, 'several headers', ['Connection' => 'keep-alive, UPGRADE', 'Upgrade' => 'h2c, WebSocket',
    'Sec-WebSocket-Protocol' => 'mail, news ,chat']);
echo $server->stop();
?>
--EXPECT--
no upgrade: 426 Only WebSockets are served here: the request is no GET of HTTP/1.1 with Upgrade: websocket.
  upgrade: websocket
  sec-websocket-version: 13
  Weft\Http\UpgradeRequired: Only WebSockets are served here: the request is no GET of HTTP/1.1 with Upgrade: websocket. 426 was answered
another upgrade: 426 Only WebSockets are served here: the request is no GET of HTTP/1.1 with Upgrade: websocket.
  upgrade: websocket
  sec-websocket-version: 13
  Weft\Http\UpgradeRequired: Only WebSockets are served here: the request is no GET of HTTP/1.1 with Upgrade: websocket. 426 was answered
no connection: 426 Only WebSockets are served here: the request is no GET of HTTP/1.1 with Upgrade: websocket.
  upgrade: websocket
  sec-websocket-version: 13
  Weft\Http\UpgradeRequired: Only WebSockets are served here: the request is no GET of HTTP/1.1 with Upgrade: websocket. 426 was answered
POST: 426 Only WebSockets are served here: the request is no GET of HTTP/1.1 with Upgrade: websocket.
  upgrade: websocket
  sec-websocket-version: 13
  Weft\Http\UpgradeRequired: Only WebSockets are served here: the request is no GET of HTTP/1.1 with Upgrade: websocket. 426 was answered
HEAD: 426 
  upgrade: websocket
  sec-websocket-version: 13
  Weft\Http\UpgradeRequired: Only WebSockets are served here: the request is no GET of HTTP/1.1 with Upgrade: websocket. 426 was answered
HTTP/1.0: 426 Only WebSockets are served here: the request is no GET of HTTP/1.1 with Upgrade: websocket.
  upgrade: websocket
  sec-websocket-version: 13
  Weft\Http\UpgradeRequired: Only WebSockets are served here: the request is no GET of HTTP/1.1 with Upgrade: websocket. 426 was answered
version 8: 426 The WebSocket protocol is served in version 13 only (Sec-WebSocket-Version).
  upgrade: websocket
  sec-websocket-version: 13
  Weft\Http\UpgradeRequired: The WebSocket protocol is served in version 13 only (Sec-WebSocket-Version). 426 was answered
no version: 426 The WebSocket protocol is served in version 13 only (Sec-WebSocket-Version).
  upgrade: websocket
  sec-websocket-version: 13
  Weft\Http\UpgradeRequired: The WebSocket protocol is served in version 13 only (Sec-WebSocket-Version). 426 was answered
no key: 400 Sec-WebSocket-Key must be 16 bytes in base64.
  Weft\Http\UpgradeRefused: Sec-WebSocket-Key must be 16 bytes in base64. 400 was answered
short key: 400 Sec-WebSocket-Key must be 16 bytes in base64.
  Weft\Http\UpgradeRefused: Sec-WebSocket-Key must be 16 bytes in base64. 400 was answered
bad key: 400 Sec-WebSocket-Key must be 16 bytes in base64.
  Weft\Http\UpgradeRefused: Sec-WebSocket-Key must be 16 bytes in base64. 400 was answered
no protocol: 400 The client asks for no subprotocol that is spoken here (Sec-WebSocket-Protocol).
  Weft\Http\UpgradeRefused: The client asks for no subprotocol that is spoken here (Sec-WebSocket-Protocol). 400 was answered
other protocols: 400 The client asks for no subprotocol that is spoken here (Sec-WebSocket-Protocol).
  Weft\Http\UpgradeRefused: The client asks for no subprotocol that is spoken here (Sec-WebSocket-Protocol). 400 was answered
foreign page: 403 Pages of this origin may not open WebSockets here: it is not this host, and accept() names no other.
  Weft\Http\UpgradeRefused: Pages of this origin may not open WebSockets here: it is not this host, and accept() names no other. 403 was answered
page without an origin: 403 Pages of this origin may not open WebSockets here: it is not this host, and accept() names no other.
  Weft\Http\UpgradeRefused: Pages of this origin may not open WebSockets here: it is not this host, and accept() names no other. 403 was answered
foreign page, and no host: 403 Pages of this origin may not open WebSockets here: it is not this host, and accept() names no other.
  Weft\Http\UpgradeRefused: Pages of this origin may not open WebSockets here: it is not this host, and accept() names no other. 403 was answered
foreign port of a friend: 403 Pages of this origin may not open WebSockets here: it is none of those that accept() names.
  Weft\Http\UpgradeRefused: Pages of this origin may not open WebSockets here: it is none of those that accept() names. 403 was answered
own page among friends: 403 Pages of this origin may not open WebSockets here: it is none of those that accept() names.
  Weft\Http\UpgradeRefused: Pages of this origin may not open WebSockets here: it is none of those that accept() names. 403 was answered
own page: 101 
  upgrade: websocket
  sec-websocket-protocol: chat
own page of another port: 101 
  upgrade: websocket
  sec-websocket-protocol: chat
own page of an address: 101 
  upgrade: websocket
  sec-websocket-protocol: chat
a friend: 101 
  upgrade: websocket
  sec-websocket-protocol: chat
a friend in capitals: 101 
  upgrade: websocket
  sec-websocket-protocol: chat
a port of a friend: 101 
  upgrade: websocket
  sec-websocket-protocol: chat
several headers: 101 
  upgrade: websocket
  sec-websocket-protocol: chat
exit status 0
