--TEST--
HTTP: destructors, output callbacks and the session's end come in PHP's order, and see the request's values
--EXTENSIONS--
weft
session
--FILE--
<?php
require __DIR__ . '/server.inc';

$sessions = sys_get_temp_dir() . '/weft-sessions-' . bin2hex(random_bytes(6));
mkdir($sessions);
$server = new Server('
    $who = $_GET["who"];
    set_exception_handler(fn () => print("never"));
    session_id("of$who");
    session_start();
    Registry::$current = new Registry($who);
    $service = service();
    $service->name = $who;
    match (strtok($_SERVER["REQUEST_URI"], "?")) {
        "/values" => ob_start(function ($text) use ($service) {
            $_SESSION["seen"] = [Registry::$current->name, $service->name, session_status() === PHP_SESSION_ACTIVE];
            return "<$text " . json_encode($_SESSION["seen"]) . ">";
        }),
        "/exit" => ob_start(fn () => exit("never")),
        "/throw" => ob_start(fn () => throw new Exception("in a callback")),
        "/left" => print(json_encode($_SESSION)),
    };
    echo "body";
    usleep(5000);
', ['isolation' => true], ['output_buffering=0', 'session.use_cookies=0', 'session.cache_limiter=', 'session.use_strict_mode=0', "session.save_path=$sessions"], '
    final class Registry {
        public static ?self $current = null;
        public function __construct(public string $name) {}
        public function __destruct() { echo " destructed"; $_SESSION["destructed"] = $this->name; }
    }
    $service = new stdClass; $service->name = "nobody";
    function service() { return $GLOBALS["service"]; }
');
$clients = [];
foreach (['/values?who=1', '/exit?who=2', '/values?who=3', '/throw?who=4'] as $path) {
    $clients[$path] = $server->connect()->send("GET $path HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
}
foreach ($clients as $path => $client) {
    echo "$path: ", $client->response()->line(), "\n";
}
foreach ([1, 2, 3, 4] as $who) {
    echo $server->get("/left?who=$who"), "\n";
}
echo implode("\n", array_unique(preg_grep('/^(exit|PHP Fatal)/', explode("\n", preg_replace('~ in (ROOT|/|Command).*~', '', $server->stop()))))), "\n";
array_map(unlink(...), glob("$sessions/*"));
rmdir($sessions);
?>
--EXPECT--
/values?who=1: 200 <body destructed ["1","1",true]>
/exit?who=2: 200 
/values?who=3: 200 <body destructed ["3","3",true]>
/throw?who=4: 500 
200 {"destructed":"1","seen":["1","1",true]}body destructed
200 {"destructed":"2"}body destructed
200 {"destructed":"3","seen":["3","3",true]}body destructed
200 {"destructed":"4"}body destructed
exit status 0
PHP Fatal error:  Uncaught Exception: in a callback
