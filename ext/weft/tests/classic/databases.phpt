--TEST--
Classic mode: database connections are the request's own, also persistent ones, and end with it
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
    'open.php' => $open . '$db->beginTransaction(); $s = $db->query("select generate_series(1, 1000)"); echo $s->fetchColumn();',
    'left.php' => $open . '$pids = array_map("file_get_contents", glob($_SERVER["DOCUMENT_ROOT"] . "/pid-*")); echo count(array_unique($pids)), " ";
        for ($i = 0; $i < 1000; $i++) {
            $left = $db->query("select count(*) from pg_stat_activity where pid in (" . implode(",", $pids) . ")")->fetchColumn();
            if (!$left) { break; }
            usleep(10000);
        }
        echo $left, " left";',
]);
echo implode(' ', $site->together(['/?who=1', '/?who=2', '/?who=3', '/?who=4'])), "\n";
echo $site->get('/open.php'), ' ', $site->get('/open.php'), "\n", $site->get('/left.php'), "\n", $site->stop();
--EXPECT--
200 11 200 21 200 31 200 41
200 1 200 1
200 4 0 left
exit status 0
