--TEST--
A switch calls no error handler: neither for a directory that is gone nor for an ini directive that warns
--EXTENSIONS--
weft
mbstring
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    switch ($_GET["do"]) {
        case "stay": mkdir($_GET["dir"]); chdir($_GET["dir"]); Async\delay(300); echo "stayed"; return;
        case "remove": rmdir($_GET["dir"]); echo "removed"; return;
        case "ini":
            try {
                ini_set("mbstring.internal_encoding", "ISO-8859-1");
            } catch (ErrorException) {
            }
            Async\delay(100);
            echo ini_get("mbstring.internal_encoding");
            return;
        case "own": try { trigger_error("own", E_USER_WARNING); } catch (ErrorException) { echo "caught"; }
    }
', before: '
    set_error_handler(function (int $type, string $message): never {
        fwrite(STDERR, "handler: $message\n");
        throw new ErrorException($message);
    });
');
$dir = sys_get_temp_dir() . '/weft-gone-' . getmypid() . '%0aweft:forged'; // a name may hold a line break
$stay = $server->connect()->send("GET /?do=stay&dir=$dir HTTP/1.1\r\nHost: a\r\n\r\n");
usleep(50000);
echo $server->get("/?do=remove&dir=$dir"), "\n";
echo $stay->response()->line(), "\n";
$ini = $server->connect()->send("GET /?do=ini HTTP/1.1\r\nHost: a\r\n\r\n");
usleep(20000);
echo $server->get('/?do=other'), "\n";
echo $ini->response()->line(), "\n";
echo $server->get('/?do=own'), "\n";
echo $server->stop();
?>
--EXPECTF--
200 removed
200 stayed
200 
200 ISO-8859-1
200 caught
exit status 0
weft: can't go back to the working directory %sweft-gone-%d
    weft:forged: No such file or directory
handler: ini_set(): Use of mbstring.internal_encoding is deprecated
handler: own
