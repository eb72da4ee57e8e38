--TEST--
Classic mode: MySQL's connections are leased from the worker's pool, without what the request before has left on them
--EXTENSIONS--
weft
pdo
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_MYSQL'); ?>
--FILE--
<?php
require __DIR__ . '/site.inc';

$open = '$db = new PDO(getenv("WEFT_TEST_MYSQL"), "weft", options: [PDO::MYSQL_ATTR_INIT_COMMAND => "set @opened = 1"]);
    $id = $db->query("select connection_id()")->fetchColumn();';
$site = new Site([
    'index.php' => $open . '$db->exec("create temporary table mine (who int)"); $db->exec("insert into mine values ($_GET[who])"); $db->exec("set @who = $_GET[who]");'
        . Site::meet('a', 4) . '$s = $db->prepare("select who, sleep(0.01), @who as variable from mine where who = ?"); $s->execute([$_GET["who"]]); $row = $s->fetch();
           echo $row["who"], $row["variable"]; $GLOBALS["kept"] = [$s, $db]; file_put_contents($_SERVER["DOCUMENT_ROOT"] . "/id-$_GET[who]", $id);',
    'open.php' => $open . '$db->beginTransaction(); $db->setAttribute(PDO::MYSQL_ATTR_USE_BUFFERED_QUERY, false);
        $s = $db->query("select 1 union select 2"); echo $s->fetchColumn();',
    'next.php' => $open . '$ids = array_map("file_get_contents", glob($_SERVER["DOCUMENT_ROOT"] . "/id-*"));
        echo count(array_unique($ids)), in_array($id, $ids) ? " one of them" : " another";
        echo " ", var_export($db->inTransaction(), true), " ", json_encode($db->query("select @opened, @who")->fetch(PDO::FETCH_NUM));
        try { $db->query("select 1 from mine"); } catch (PDOException $e) { echo " ", $e->getCode(); }',
], ['error_reporting=24575']); // PDO's constants for MySQL are deprecated since 8.5
echo implode(' ', $site->together(['/?who=1', '/?who=2', '/?who=3', '/?who=4'])), "\n";
for ($i = 0; $i < 3; $i++) {
    echo $site->get('/open.php'), ' ', $site->get('/next.php'), "\n";
}
echo $site->stop();
--EXPECT--
200 11 200 22 200 33 200 44
200 1 200 4 one of them false [1,null] 42S02
200 1 200 4 one of them false [1,null] 42S02
200 1 200 4 one of them false [1,null] 42S02
exit status 0
