--TEST--
weft.http_hang_up=cancel: when clients hang up in the middle of a query, the server stops working on it and rolls back
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php
if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL');
if (!trim((string) shell_exec('command -v curl'))) die('skip needs curl');
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
    $sleep = $mysql ? "select benchmark(2000000000, md5('hang up'))" : "select pg_sleep(600) /* hang up */";
    switch ($_GET["do"]) {
        case "look":
            echo $pdo->query("select count(*) from weft_hang_up")->fetchColumn(), " rows";
            break;
        case "pids":
            echo json_encode(array_sum(array_column(Weft\Pool::stats(), "leased")));
            break;
        case "transaction":
            $pdo->beginTransaction();
            $pdo->exec("insert into weft_hang_up values (1)");
            // falls through
        case "query":
            try {
                $pdo->query($sleep);
            } catch (Throwable $e) {
                fwrite(STDOUT, "never caught: " . $e::class . "\n");
            } finally {
                fwrite(STDOUT, "ended\n");
            }
            break;
        case "execute":
            try {
                $pdo->prepare($sleep)->execute();
            } finally {
                fwrite(STDOUT, "ended\n");
            }
            break;
    }
    PHP, ['hang_up_cancels' => true]);

on_each_server(function (DatabaseServer $database) use ($server): void {
    $observer = $database->observer();
    $observer->exec('drop table if exists weft_hang_up');
    $observer->exec('create table weft_hang_up (n int)' . ($database->isMySql() ? ' engine=innodb' : ''));
    $running = $database->isMySql()
        ? "select count(*) from information_schema.processlist where info like 'select benchmark%hang up%'"
        : "select count(*) from pg_stat_activity where state = 'active' and query like 'select pg_sleep(600)%hang up%'";
    $await = function (int $wanted) use ($observer, $running): int {
        for ($i = 0; $i < 1000; $i++) {
            $seen = (int) $observer->query($running)->fetchColumn();
            if ($seen === $wanted) {
                break;
            }
            usleep(10_000);
        }

        return $seen;
    };
    foreach (['query', 'execute', 'transaction'] as $do) {
        $clients = [];
        for ($i = 0; $i < 3; $i++) {
            $clients[] = proc_open(['curl', '-s', "http://127.0.0.1:{$server->port}/?do=$do&db={$database->name}"], [], $pipes);
        }
        echo "$do: running ", $await(3);
        foreach ($clients as $client) {
            proc_terminate($client, 9);
            proc_close($client);
            echo ', ', trim($server->line());
        }
        echo ', still running ', $await(0), ', then: ', $server->get("/?do=look&db={$database->name}"), "\n";
    }
    $observer->exec('drop table weft_hang_up');
});
echo $server->get('/?do=pids&db=pgsql'), " leased\n";
echo $server->stop();
?>
--EXPECT--
-- pgsql
query: running 3, ended, ended, ended, still running 0, then: 200 0 rows
execute: running 3, ended, ended, ended, still running 0, then: 200 0 rows
transaction: running 3, ended, ended, ended, still running 0, then: 200 0 rows
-- mysql
query: running 3, ended, ended, ended, still running 0, then: 200 0 rows
execute: running 3, ended, ended, ended, still running 0, then: 200 0 rows
transaction: running 3, ended, ended, ended, still running 0, then: 200 0 rows
200 0 leased
exit status 0
