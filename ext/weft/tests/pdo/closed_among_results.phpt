--TEST--
MySQL: a statement that is closed while its connection has somebody else's results on their way tells as little of its columns as any that is closed
--EXTENSIONS--
weft
pdo
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=1
--FILE--
<?php
require __DIR__ . '/servers.inc';

Weft\Isolation\snapshot();
$server = servers()[1];
foreach (['alone' => false, 'among results' => true] as $name => $among) {
    [$said, $heard] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    $open = $executed = false;
    [$seen] = at_once(2, function (int $i) use ($server, $among, $said, $heard, &$open, &$executed) {
        $pdo = $server->open();
        if ($i === 1) {
            until(function () use (&$executed) {
                return $executed;
            });
            if ($among) {
                $pdo->setAttribute(PDO::MYSQL_ATTR_USE_BUFFERED_QUERY, false);
                $rows = $pdo->prepare('select 1 union all select 2');
                $rows->execute();
                $rows->fetch();
            }
            $open = true;
            fread($heard, 1);

            return null;
        }
        $statement = $pdo->query('select 1 as v');
        $before = $statement->getColumnMeta(0)['name'] ?? null;
        $executed = true;
        until(function () use (&$open) {
            return $open;
        });
        $statement->closeCursor();
        $closed = $statement->getColumnMeta(0)['name'] ?? null;
        fwrite($said, 'x');
        $statement->execute();

        return [$before, $closed, $statement->getColumnMeta(0)['name'] ?? null, $statement->fetchColumn()];
    });
    echo "$name: ", json_encode($seen), "\n";
}
?>
--EXPECT--
alone: ["v",null,"v",1]
among results: ["v",null,"v",1]
