--TEST--
The access log counts the statements that a request has sent, and the time that it has waited for them, be it in vain
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
pdo_sqlite
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--FILE--
<?php
require __DIR__ . '/../http/server.inc';

$server = new Server('
    if ($_GET["db"] === "none") {
        return;
    }
    $pdo = match ($_GET["db"]) {
        "pgsql" => new PDO(getenv("WEFT_TEST_PGSQL"), "laravel"),
        "mysql" => new PDO(getenv("WEFT_TEST_MYSQL"), "weft", null, [PDO::ATTR_EMULATE_PREPARES => false]),
        "sqlite" => new PDO("sqlite::memory:"),
    };
    $pdo->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
    if (isset($_GET["hangs"])) {
        header("X-Weft-Timeout: 0.4");
        $pdo->query($_GET["db"] === "mysql" ? "select sleep(60)" : "select pg_sleep(60)");
    }
    $pdo->beginTransaction();
    $pdo->exec("create temporary table t (n int)");
    $insert = $pdo->prepare("insert into t values (?)");
    for ($i = 0; $i < (int) $_GET["rows"]; $i++) {
        $insert->execute([$i]);
    }
    $pdo->query("select count(*) from t");
    $pdo->rollBack();
    // with MySQL and SQLite it is refused before it is executed
    try {
        $pdo->query("select nonsense");
    } catch (PDOException) {
    }
    if ($_GET["db"] !== "sqlite") {
        $pdo->query($_GET["db"] === "mysql" ? "select sleep(0.3)" : "select pg_sleep(0.3)");
    }
', ['access_log' => 1, 'log_json' => 1]);
// twice: what is prepared already is sent as often
foreach (['none', 'pgsql', 'pgsql', 'mysql', 'mysql', 'sqlite'] as $db) {
    $server->get("/?db=$db&rows=5");
}
$open = [];
foreach (['pgsql' => 3, 'mysql' => 4, 'none' => 0] as $db => $rows) {
    $open[] = $server->connect()->send("GET /at-once?db=$db&rows=$rows HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
}
foreach ($open as $client) {
    $client->response();
}
foreach (['pgsql', 'mysql'] as $db) {
    $server->get("/cancelled?db=$db&hangs");
}
$records = array_map(static fn (string $line) => json_decode($line, true), array_slice(explode("\n", rtrim($server->stop())), 1));
foreach (array_filter($records, static fn (?array $record) => isset($record['path'])) as $record) {
    ['queries' => $queries, 'query_ms' => $took, 'wait_ms' => $waited] = $record;
    echo $record['path'], ': ', $queries, match (true) {
        $took >= 300 => ' with a sleep',
        $took > 0 || $queries > 0 => ' without a sleep',
        default => '',
    }, $took >= 300 && $waited < 290 ? ' for which nobody has waited' : '', "\n";
}
?>
--EXPECT--
/: 0
/: 11 with a sleep
/: 11 with a sleep
/: 10 with a sleep
/: 10 with a sleep
/: 9 without a sleep
/at-once: 0
/at-once: 9 with a sleep
/at-once: 9 with a sleep
/cancelled: 1 with a sleep
/cancelled: 1 with a sleep
