--TEST--
When the pool is short, the log names the request that holds the connection now, not one that has held it before; its address stays out of the message, and its query string out of both
--EXTENSIONS--
weft
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip needs WEFT_TEST_PGSQL'); ?>
--FILE--
<?php
require __DIR__ . '/../http/server.inc';

$server = new Server('
    $pdo = new PDO(getenv("WEFT_TEST_PGSQL"), null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
    try {
        $pdo->beginTransaction();
        $pdo->query("select 1");
    } catch (PDOException $e) {
        echo "short", preg_match("{/second|secret|select}", $e->getMessage()) ? ": " . $e->getMessage() : "";
        return;
    }
    if ($_SERVER["REQUEST_URI"] !== "/first") {
        echo "has it";
        // until its client has gone
        for (;;) {
            flush();
            Async\delay(10);
            echo ".";
        }
    }
    echo "is done";
', ini: ['weft.pdo_pool_max=1', 'weft.pdo_acquire_timeout=0.1']);
echo $server->get('/first'), "\n";
$second = $server->connect()->send("GET /second?token=secret HTTP/1.1\r\nHost: a\r\n\r\n");
$second->head();
echo $second->chunk(), "\n";
echo $server->get('/third'), "\n";
$second->close();
preg_match_all('{(GET /\S*|secret).* (?=for)}', $server->stop(), $named);
echo implode(' ', $named[0]), "\n";
?>
--EXPECT--
200 is done
has it
200 short
GET /second
