--TEST--
weft.http_request_timeout_ms: the server stops working on the query of a request that has taken too long, and rolls back
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php
if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL');
?>
--FILE--
<?php
require __DIR__ . '/../http/server.inc';
require __DIR__ . '/servers.inc';

$server = new Server(<<<'PHP'
    $mysql = $_GET["db"] === "mysql";
    $pdo = new PDO(getenv($mysql ? "WEFT_TEST_MYSQL" : "WEFT_TEST_PGSQL"), $mysql ? "weft" : "laravel", null, [
        PDO::ATTR_EMULATE_PREPARES => false, PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
    ]);
    if (isset($_GET["look"])) {
        echo $pdo->query("select count(*) from weft_timeout")->fetchColumn(), " rows";
        return;
    }
    $pdo->beginTransaction();
    $pdo->exec("insert into weft_timeout values (1)");
    header("X-Weft-Timeout: 1");
    try {
        $pdo->query($mysql ? "select benchmark(2000000000, md5('timeout'))" : "select pg_sleep(600) /* timeout */");
    } catch (Throwable $e) {
        fwrite(STDOUT, "never caught: " . $e::class . "\n");
    } finally {
        fwrite(STDOUT, "ended\n");
    }
    PHP);

on_each_server(function (DatabaseServer $database) use ($server): void {
    $observer = $database->observer();
    $observer->exec('drop table if exists weft_timeout');
    $observer->exec('create table weft_timeout (n int)' . ($database->isMySql() ? ' engine=innodb' : ''));
    $running = $database->isMySql()
        ? "select count(*) from information_schema.processlist where info like 'select benchmark%timeout%'"
        : "select count(*) from pg_stat_activity where state = 'active' and query like 'select pg_sleep(600)%timeout%'";
    echo $server->get("/?db={$database->name}"), $server->line();
    for ($i = 0; $i < 1000 && (int) $observer->query($running)->fetchColumn() > 0; $i++) {
        usleep(10_000);
    }
    echo 'still running ', (int) $observer->query($running)->fetchColumn(), ', ', $server->get("/?look=1&db={$database->name}"), "\n";
    $observer->exec('drop table weft_timeout');
});
echo $server->stop();
?>
--EXPECTF--
-- pgsql
504 The request took longer than 1 s (--request-timeout).
ended
still running 0, 200 0 rows
-- mysql
504 The request took longer than 1 s (--request-timeout).
ended
still running 0, 200 0 rows
exit status 0
weft: GET /: nothing came of it for 1 s (--request-timeout): 504 was sent; it waited (%s) in Command line code:%d and is cancelled
weft: GET /: nothing came of it for 1 s (--request-timeout): 504 was sent; it waited (%s) in Command line code:%d and is cancelled
