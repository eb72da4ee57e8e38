--TEST--
A Host that is no host and port of RFC 3986 is refused, in the header and in an absolute target; so is a fragment
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('echo $_SERVER["HTTP_HOST"] ?? "none", " ", $_SERVER["SERVER_NAME"];');
$refused = ['a:80:80', '[::1', 'a%zz', 'a:99999999', ':80', ':', 'a:65536', 'a:+80', 'a:8o', 'a: 80', '::1', '[::1]80', '[]', '[:1]', '[::1%25eth0]',
    '[1.2.3.4]', '[v.a]', '[v1.]', '[v1]', 'a%2', 'a%', 'a/b', 'a\\b', 'a?b', 'a@b', 'u:p@a', 'a b', 'a,b', 'a;b', "a'b", 'a"b', 'a<b', "a\xe4", '[::1]x:80', ']', 'a]'];
$allowed = [
    '', 'a', 'a..b', '1.2.3.4.5', '%41', '[v1.x]', 'A.b-c.', 'a:', 'a:0', 'a:080', 'a:65535', '1.2.3.4:80', '[::1]',
    '[::1]:8080', '[::ffff:1.2.3.4]:', '[v1F.a:b]', 'under_score', '%61%2d', 'a~b!c',
];
$ask = function (string $target, string $host) use ($server): string {
    return $server->connect()->send("GET $target HTTP/1.1\r\nHost: $host\r\nConnection: close\r\n\r\n")->response()->line();
};
foreach (['header' => fn ($host) => $ask('/', $host), 'target' => fn ($host) => $ask("http://$host/", 'other')] as $place => $try) {
    foreach ($place === 'target' ? array_diff($refused, ['a/b', 'a?b']) : $refused as $host) {
        if (!str_starts_with($answer = $try($host), '400 ')) {
            echo "$place: $host passes: $answer\n";
        }
    }
    foreach ($allowed as $host) {
        echo $try($host), "\n";
    }
}
/* who names a good host in the target must name one in the header as well */
echo $ask('http://a/', 'a:b'), $ask('http://a', ''), "\n", $ask('http://u@a/', 'a');
foreach (['/#x', '/a?b#c', 'http://a/#x', 'http://a#x', '#', '/%23', '/?%23'] as $target) {
    echo "$target ", explode(' ', $ask($target, 'a'))[0], "\n";
}
echo $server->stop();
?>
--EXPECT--
200  
200 a a
200 a..b a..b
200 1.2.3.4.5 1.2.3.4.5
200 %41 %41
200 [v1.x] [v1.x]
200 A.b-c. A.b-c.
200 a: a
200 a:0 a
200 a:080 a
200 a:65535 a
200 1.2.3.4:80 1.2.3.4
200 [::1] [::1]
200 [::1]:8080 [::1]
200 [::ffff:1.2.3.4]: [::ffff:1.2.3.4]
200 [v1F.a:b] [v1F.a:b]
200 under_score under_score
200 %61%2d %61%2d
200 a~b!c a~b!c
400 The request target is neither a path nor an http URL.

200 a a
200 a..b a..b
200 1.2.3.4.5 1.2.3.4.5
200 %41 %41
200 [v1.x] [v1.x]
200 A.b-c. A.b-c.
200 a: a
200 a:0 a
200 a:080 a
200 a:65535 a
200 1.2.3.4:80 1.2.3.4
200 [::1] [::1]
200 [::1]:8080 [::1]
200 [::ffff:1.2.3.4]: [::ffff:1.2.3.4]
200 [v1F.a:b] [v1F.a:b]
200 under_score under_score
200 %61%2d %61%2d
200 a~b!c a~b!c
400 The Host header is not a host.
200 a a
400 The request target is neither a path nor an http URL.
/#x 400
/a?b#c 400
http://a/#x 400
http://a#x 400
# 400
/%23 200
/?%23 200
exit status 0
