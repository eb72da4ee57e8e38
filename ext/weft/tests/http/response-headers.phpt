--TEST--
Headers, cookies and status lines of the application; nothing it sends can break the message
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    switch ($_GET["do"]) {
        case "plain":
            header("X-A: 1"); header("X-A: 2", false); header("X-B: 1"); header_remove("X-B");
            setcookie("c", "v w", ["expires" => 86400, "path" => "/", "httponly" => true]);
            http_response_code(201);
            header_register_callback(function () { header("X-Callback: " . http_response_code()); });
            var_dump(headers_sent()); echo json_encode(headers_list());
            break;
        case "line": header("HTTP/1.0 404 Nobody here"); break;
        case "status": header("Status: 410 Gone away"); break;
        case "redirect": header("Location: /there"); break;
        case "inject": header("X-A: 1\r\nX-Evil: 1"); header("X Evil: 1"); header("X-Evil: \x01"); header("Evil"); echo "safe"; break;
        case "length": header("Content-Length: 3"); echo "right"; break;
        case "longer": header("Content-Length: 3"); echo "abc"; flush(); echo "def"; break;
        case "shorter": header("Content-Length: 9"); echo "abc"; flush(); break;
        case "encoding": header("Transfer-Encoding: chunked"); header("Connection: keep-alive"); echo "5\r\nhello\r\n0\r\n\r\n"; break;
        case "close": header("Connection: close"); echo "closing"; break;
        case "interim": http_response_code(101); echo "x"; break;
    }
', ini: ['expose_php=0', 'default_mimetype=']);
foreach (['plain', 'line', 'status', 'redirect', 'inject', 'length', 'longer', 'shorter', 'encoding', 'close', 'interim'] as $do) {
    $client = $server->connect();
    $response = $client->send("GET /?do=$do HTTP/1.1\r\nHost: a\r\n\r\n")->response();
    $headers = $response->headers;
    unset($headers['date']);
    echo "$do: $response->statusLine | ", json_encode($headers), ' | ', addcslashes($response->body, "\r\n"), $response->complete ? '' : ' (cut short)', "\n";
}
echo preg_replace('/ in Command.*/', '', $server->stop());
--EXPECT--
plain: HTTP/1.1 201 Created | {"x-a":"2","set-cookie":"c=v%20w; expires=Fri, 02 Jan 1970 00:00:00 GMT; Max-Age=0; path=\/; HttpOnly","x-callback":"201","content-length":"140"} | bool(false)\n["X-A: 1","X-A: 2","Set-Cookie: c=v%20w; expires=Fri, 02 Jan 1970 00:00:00 GMT; Max-Age=0; path=\/; HttpOnly","X-Callback: 201"]
line: HTTP/1.1 404 Nobody here | {"content-length":"0"} | 
status: HTTP/1.1 410 Gone | {"content-length":"0"} | 
redirect: HTTP/1.1 302 Found | {"location":"\/there","content-length":"0"} | 
inject: HTTP/1.1 200 OK | {"content-length":"4"} | safe
length: HTTP/1.1 200 OK | {"content-length":"5"} | right
longer: HTTP/1.1 200 OK | {"content-length":"3"} | abc
shorter: HTTP/1.1 200 OK | {"content-length":"9"} | abc (cut short)
encoding: HTTP/1.1 200 OK | {"content-length":"15"} | 5\r\nhello\r\n0\r\n\r\n
close: HTTP/1.1 200 OK | {"content-length":"7","connection":"close"} | closing
interim: HTTP/1.1 500 Internal Server Error | {"content-length":"1"} | x
exit status 0
PHP Warning:  Header may not contain more than a single header, new line detected
PHP Warning:  header(): A header must be of the form "Name: value"; it was not sent
PHP Warning:  header(): A header must not contain control characters; it was not sent
PHP Warning:  header(): A header must be of the form "Name: value"; it was not sent
weft: GET /: the application's status is 101, which can't end an answer; 500 was sent. Use 200 to 599.
