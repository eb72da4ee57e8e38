--TEST--
A request that begins in the place of one that has ended finds no state in C of it, and what the boot had
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$boot = '
    spl_autoload_register(static function (string $class): void {});
    set_error_handler(static fn () => false);
    date_default_timezone_set("Europe/Vienna");
    umask(022);
';
$handler = '
    $error = error_get_last();
    $seen = implode(" ", [count(spl_autoload_functions()), date_default_timezone_get(), ini_get("precision"), getenv("OWN") ?: "-",
        @strtok("/") ?: "-", $error["message"] ?? "-", ob_get_level(), decoct(umask()), http_response_code(),
        count(headers_list()), is_callable(set_error_handler(null)) ? "handler" : "none", $_GET["of"] ?? "-", $_COOKIE["of"] ?? "-"]);
    if (str_starts_with($_SERVER["REQUEST_URI"], "/changes")) {
        $_GET["of"] = $_POST["of"] = $_COOKIE["of"] = $_REQUEST["of"] = $_FILES["of"] = "me";
        spl_autoload_register(static function (string $class): void {});
        date_default_timezone_set("Asia/Tokyo");
        ini_set("precision", 5);
        putenv("OWN=1");
        strtok("a/b/c", "/");
        set_error_handler(null);
        @trigger_error("mine");
        umask(077);
        http_response_code(404);
        header("X-Own: 1");
        set_error_handler(static fn () => true);
        ob_start();
        ob_start();
        register_tick_function(static fn () => null);
        register_shutdown_function(static fn () => print(" shut down"));
        echo "changed: ";
    }
    if ($_SERVER["REQUEST_URI"] === "/waits") {
        usleep(20_000);
    }
    echo $seen;
';
$server = new Server($handler, before: $boot, ini: ['precision=14', 'output_buffering=0', 'expose_php=0']);
foreach (['/', '/', '/changes?of=a', '/', '/changes', '/changes', '/waits', '/?of=b', '/'] as $path) {
    echo $server->get($path), "\n";
}
// one ends while another waits: what was left in place goes, and comes back
$waits = $server->connect()->send("GET /waits HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
echo $server->get('/changes'), "\n", $server->get('/'), "\n";
echo $waits->response()->line(), "\n", $server->get('/'), "\n";
echo $server->stop();
?>
--EXPECT--
200 1 Europe/Vienna 14 - - - 0 22 200 0 handler - -
200 1 Europe/Vienna 14 - - - 0 22 200 0 handler - -
404 changed: 1 Europe/Vienna 14 - - - 0 22 200 0 handler a - shut down
200 1 Europe/Vienna 14 - - - 0 22 200 0 handler - -
404 changed: 1 Europe/Vienna 14 - - - 0 22 200 0 handler - - shut down
404 changed: 1 Europe/Vienna 14 - - - 0 22 200 0 handler - - shut down
200 1 Europe/Vienna 14 - - - 0 22 200 0 handler - -
200 1 Europe/Vienna 14 - - - 0 22 200 0 handler b -
200 1 Europe/Vienna 14 - - - 0 22 200 0 handler - -
404 changed: 1 Europe/Vienna 14 - - - 0 22 200 0 handler - - shut down
200 1 Europe/Vienna 14 - - - 0 22 200 0 handler - -
200 1 Europe/Vienna 14 - - - 0 22 200 0 handler - -
200 1 Europe/Vienna 14 - - - 0 22 200 0 handler - -
exit status 0
