--TEST--
Classic mode: a pool keeps no option that the variable behind a reference may change, or that holds itself, and a child has no use for what its parent's requests lease
--EXTENSIONS--
weft
pcntl
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip needs WEFT_TEST_PGSQL'); ?>
--FILE--
<?php
require __DIR__ . '/site.inc';

$dsn = '$dsn = getenv("WEFT_TEST_PGSQL"); ';
$site = new Site([
    'refers.php' => $dsn . 'class Its { public string $of = "one request"; }
        $seconds = 5; $db = new PDO($dsn, options: [PDO::ATTR_TIMEOUT => &$seconds, "deep" => [&$seconds]]); echo $db->query("select 1")->fetchColumn(); $seconds = new Its;',
    'many.php' => $dsn . 'for ($i = 0; $i < 3; $i++) {
            $seconds = 5; $all[] = $db = new PDO($dsn, options: [PDO::ATTR_TIMEOUT => &$seconds, "deep" => [&$seconds]]); $db->beginTransaction();
        }
        echo count($all);',
    'itself.php' => $dsn . '$options = []; $options["x"] = &$options; echo (new PDO($dsn, options: $options))->query("select 1")->fetchColumn();',
    'keeps.php' => $dsn . '$db = new PDO($dsn); $db->beginTransaction(); $db->query("select 1");' . Site::meet('a', 2)
        . 'while (!is_file(__DIR__ . "/told")) { clearstatcache(); usleep(1000); } echo $db->query("select 1")->fetchColumn();',
    'forks.php' => $dsn . Site::meet('a', 2) . '$pid = pcntl_fork();
        if (!$pid) { file_put_contents(__DIR__ . "/said", (new PDO($dsn))->query("select 2")->fetchColumn()); exit; }
        pcntl_waitpid($pid, $status); touch(__DIR__ . "/told"); echo @file_get_contents(__DIR__ . "/said");',
], ['weft.pdo_pool_max=1', 'weft.pdo_acquire_timeout=1']);
foreach (['/refers.php', '/many.php', '/itself.php'] as $path) {
    echo $site->get($path), "\n";
}
echo implode(' ', $site->together(['/keeps.php?who=1', '/forks.php?who=2'])), "\n", $site->stop();
--EXPECT--
200 1
200 3
200 1
200 1 200 2
exit status 0
