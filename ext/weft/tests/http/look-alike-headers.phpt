--TEST--
A header whose name would pass for another one in $_SERVER is dropped
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('echo $_SERVER["HTTP_X_REAL_IP"] ?? "none", " ", isset($_SERVER["HTTP_PROXY"]) ? "proxy" : "no proxy";');
foreach (['X-Real-IP: genuine', 'X_Real_IP: a', 'X.Real.IP: a', 'X!Real~IP: a', 'Proxy: a'] as $header) {
    echo $server->get('/', "$header\r\n"), "\n";
}
echo $server->get('/', "X-Real-IP: genuine\r\nX.Real.IP: a\r\n"), "\n";
echo $server->stop();
?>
--EXPECT--
200 genuine no proxy
200 none no proxy
200 none no proxy
200 none no proxy
200 none no proxy
200 genuine no proxy
exit status 0
