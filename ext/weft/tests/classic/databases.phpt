--TEST--
Classic mode: connections are leased from the worker's pool, without what the request before has left on them, also persistent ones; what the pool can't outlive ends with its request
--EXTENSIONS--
weft
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip needs WEFT_TEST_PGSQL'); ?>
--FILE--
<?php
require __DIR__ . '/site.inc';

$open = '$db = new PDO(getenv("WEFT_TEST_PGSQL"), options: [PDO::ATTR_PERSISTENT => true]); $db->setAttribute(PDO::ATTR_STATEMENT_CLASS, [Own::class]);
    class Own extends PDOStatement { public $self; }
    $pid = $db->query("select pg_backend_pid()")->fetchColumn();';
$site = new Site([
    'index.php' => $open . '$db->exec("create temp table mine (who int)"); $db->exec("insert into mine values ($_GET[who])");' . Site::meet('a', 4)
        . '$s = $db->prepare("select who, pg_sleep(0.01) from mine where who = ?"); $s->execute([$_GET["who"]]); $s->self = $s; $GLOBALS["kept"] = [$s, $db];
           echo $s->fetch()["who"], $db->query("select 1")->fetchColumn();
           file_put_contents($_SERVER["DOCUMENT_ROOT"] . "/pid-$_GET[who]", $pid);',
    'open.php' => $open . '$db->beginTransaction(); $db->exec("set application_name to left_open"); $s = $db->query("select generate_series(1, 1000)"); echo $s->fetchColumn();',
    'next.php' => $open . '$pids = array_map("file_get_contents", glob($_SERVER["DOCUMENT_ROOT"] . "/pid-*"));
        echo count(array_unique($pids)), in_array($pid, $pids) ? " one of them" : " another";
        echo " ", var_export($db->inTransaction(), true), " ", $db->query("select count(*) from pg_class where relname = \'mine\' and pg_table_is_visible(oid)")->fetchColumn();
        echo " ", $db->query("show application_name")->fetchColumn() === "left_open" ? "left" : "reset";',
    'fails.php' => 'class Db extends PDO { public $e; } $db = new Db(getenv("WEFT_TEST_PGSQL"));
        try { $db->query("select nothing"); } catch (PDOException $e) { $db->e = [$e, $db]; echo $e->getCode(); }
        unset($db, $e); echo gc_collect_cycles() > 0 ? " collected" : " kept";',
    'own.php' => 'class Its extends PDOStatement {} $db = new PDO(getenv("WEFT_TEST_PGSQL"), options: [PDO::ATTR_STATEMENT_CLASS => [Its::class]]);
        $s = $db->query("select pg_backend_pid()"); echo get_class($s); file_put_contents($_SERVER["DOCUMENT_ROOT"] . "/own", $s->fetchColumn());',
    'gone.php' => $open . '$own = file_get_contents($_SERVER["DOCUMENT_ROOT"] . "/own");
        for ($i = 0; $i < 500 && ($left = $db->query("select count(*) from pg_stat_activity where pid = $own")->fetchColumn()); $i++) { usleep(10000); }
        echo $left, " left";',
]);
echo implode(' ', $site->together(['/?who=1', '/?who=2', '/?who=3', '/?who=4'])), "\n";
for ($i = 0; $i < 6; $i++) {
    echo $site->get('/open.php'), ' ', $site->get('/next.php'), ' ', $site->get('/fails.php'), "\n";
}
echo $site->get('/own.php'), ' ', $site->get('/gone.php'), "\n", $site->stop();
--EXPECT--
200 11 200 21 200 31 200 41
200 1 200 4 one of them false 0 reset 200 42703 collected
200 1 200 4 one of them false 0 reset 200 42703 collected
200 1 200 4 one of them false 0 reset 200 42703 collected
200 1 200 4 one of them false 0 reset 200 42703 collected
200 1 200 4 one of them false 0 reset 200 42703 collected
200 1 200 4 one of them false 0 reset 200 42703 collected
200 Its 200 0 left
exit status 0
