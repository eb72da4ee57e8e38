--TEST--
What is not HTTP, or could be read in two ways, is refused, and the connection ends
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('echo "served";', ['h2' => false]);
$requests = [
    'no version' => "GET /\r\n\r\n",
    'two spaces' => "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
    'version 2' => "GET / HTTP/2.0\r\nHost: a\r\n\r\n",
    'preface' => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    'unknown method' => "BREW / HTTP/1.1\r\nHost: a\r\n\r\n",
    'lower case' => "get / HTTP/1.1\r\nHost: a\r\n\r\n",
    'CONNECT' => "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n",
    'no Host' => "GET / HTTP/1.1\r\n\r\n",
    'two Hosts' => "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
    'odd Host' => "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n",
    'bare LF' => "GET / HTTP/1.1\nHost: a\n\n",
    'bare CR' => "GET / HTTP/1.1\r\nHost: a\rX: y\r\n\r\n",
    'folded' => "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n",
    'space before colon' => "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
    'no name' => "GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n",
    'NUL' => "GET / HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n",
    'length and chunked' => "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    'chunked and length' => "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
    'two lengths' => "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
    'signed length' => "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\nabc",
    'huge length' => "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
    'list of lengths' => "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3\r\n\r\nabc",
    'gzip, chunked' => "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    'chunked twice' => "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    'chunked in 1.0' => "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    'bad chunk size' => "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
    'chunk too long' => "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n",
    'LF in chunk size' => "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\nabc\r\n0\r\n\r\n",
    'star' => "GET * HTTP/1.1\r\nHost: a\r\n\r\n",
    'relative target' => "GET index.php HTTP/1.1\r\nHost: a\r\n\r\n",
    'other scheme' => "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
];
foreach ($requests as $name => $request) {
    $client = $server->connect();
    $response = $client->send($request . "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")->response();
    printf("%-20s %d%s\n", $name, $response->status, $client->response() === null ? '' : ' and more');
}
echo $server->get('/'), "\n", $server->stop();
--EXPECT--
no version           400
two spaces           400
version 2            505
preface              505
unknown method       501
lower case           501
CONNECT              501
no Host              400
two Hosts            400
odd Host             400
bare LF              400
bare CR              400
folded               400
space before colon   400
no name              400
NUL                  400
length and chunked   400
chunked and length   400
two lengths          400
signed length        400
huge length          400
list of lengths      400
gzip, chunked        501
chunked twice        400
chunked in 1.0       400
bad chunk size       400
chunk too long       400
LF in chunk size     400
star                 400
relative target      400
other scheme         400
200 served
exit status 0
