--TEST--
When the server of a connection of the boot is gone, the request gets the client's own exception, and later ones a connection
--EXTENSIONS--
weft
redis
--FILE--
<?php
use function Weft\Isolation\run;

/** A Redis that answers +OK to everything. */
function listen(string $address): array
{
    $server = stream_socket_server($address);
    Async\spawn(function () use ($server) {
        while ($client = @stream_socket_accept($server, 60)) {
            Async\spawn(function () use ($client) {
                while (($line = fgets($client)) !== false) {
                    if (str_starts_with($line, '*')) {
                        for ($i = 2 * (int) substr($line, 1); $i > 0; $i--) {
                            fgets($client);
                        }
                        fwrite($client, "+PONG\r\n");
                    }
                }
            });
        }
    });

    return [$server, (int) substr(strrchr(stream_socket_get_name($server, false), ':'), 1)];
}

[$server, $port] = listen('tcp://127.0.0.1:0');
$redis = new Redis();
$redis->connect('127.0.0.1', $port, 2.0);
$redis->ping();
Weft\Isolation\snapshot();
$ask = function () use ($redis) {
    try {
        return $redis->ping();
    } catch (Throwable $e) {
        return $e::class;
    }
};
var_dump(run($ask));
fclose($server);
var_dump(run($ask));
exit;
?>
--EXPECT--
bool(true)
string(14) "RedisException"
