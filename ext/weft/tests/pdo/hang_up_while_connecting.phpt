--TEST--
weft.http_hang_up=cancel: nothing catches the end of a request whose client hangs up while its first connection opens
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php
if (!trim((string) shell_exec('command -v curl'))) die('skip needs curl');
?>
--FILE--
<?php
require __DIR__ . '/../http/server.inc';

$server = new Server(<<<'PHP'
    if (!isset($_GET["dsn"])) {
        echo "serves";
        return;
    }
    try {
        new PDO($_GET["dsn"], "nobody", "nothing");
    } catch (Throwable $e) {
        fwrite(STDOUT, "never caught: " . $e::class . "\n");
    } finally {
        fwrite(STDOUT, "ended\n");
    }
    PHP, ['hang_up_cancels' => true]);
foreach (['pgsql', 'mysql'] as $driver) {
    $silent = stream_socket_server('tcp://127.0.0.1:0');
    $port = (int) substr((string) strrchr(stream_socket_get_name($silent, false), ':'), 1);
    $dsn = urlencode("$driver:host=127.0.0.1;port=$port;dbname=none");
    $client = proc_open(['curl', '-s', "http://127.0.0.1:{$server->port}/?dsn=$dsn"], [], $pipes);
    $connection = stream_socket_accept($silent, 20);
    if ($driver === 'pgsql') {
        // its first message is out: now it waits for the answer
        fread($connection, 8);
    } else {
        // another request's turn: the driver waits for a greeting now
        $server->get('/');
    }
    proc_terminate($client, 9);
    proc_close($client);
    echo "$driver: ", trim($server->line()), ', then: ', $server->get('/'), "\n";
    fclose($connection);
    fclose($silent);
}
echo $server->stop();
?>
--EXPECT--
pgsql: ended, then: 200 serves
mysql: ended, then: 200 serves
exit status 0
