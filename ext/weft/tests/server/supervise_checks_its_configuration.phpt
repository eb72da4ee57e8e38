--TEST--
supervise() says what its configuration lacks, and keeps no socket open
--EXTENSIONS--
weft
--FILE--
<?php
use function Weft\Server\supervise;

$taken = stream_socket_server('tcp://127.0.0.1:0');
$port = (int) substr(strrchr(stream_socket_get_name($taken, false), ':'), 1);
$good = ['listen' => [['127.0.0.1', 0]], 'command' => ['/bin/true'], 'configuration' => []];
foreach ([
    'no command' => ['command' => []] + $good,
    'a command that is no text' => ['command' => [1]] + $good,
    'no configuration' => array_diff_key($good, ['configuration' => 0]),
    'no addresses' => array_diff_key($good, ['listen' => 0]),
    'a port that is text' => ['listen' => [['127.0.0.1', '80']]] + $good,
    'a port in use after a free one' => ['listen' => [['127.0.0.1', 0], ['127.0.0.1', $port]]] + $good,
] as $what => $config) {
    $before = count(scandir('/proc/self/fd'));
    try {
        supervise($config, fn () => null);
    } catch (Throwable $e) {
        echo "$what: ", str_replace((string) $port, 'PORT', $e->getMessage()), ' (', $e->getCode() ? 'errno ' . $e->getCode() : $e::class, ")\n";
    }
    var_dump(count(scandir('/proc/self/fd')) - $before);
}
?>
--EXPECT--
no command: Weft\Server\supervise(): Argument #1 ($config) must have a "command" list of strings (ValueError)
int(0)
a command that is no text: Weft\Server\supervise(): Argument #1 ($config) must have a "command" list of strings (ValueError)
int(0)
no configuration: Weft\Server\supervise(): Argument #1 ($config) must have a "configuration" that can be written as JSON (ValueError)
int(0)
no addresses: Weft\Server\supervise(): Argument #1 ($config) must have a "listen" list of host and port (ValueError)
int(0)
a port that is text: Weft\Server\supervise(): Argument #1 ($config) must have a "listen" list of host and port (ValueError)
int(0)
a port in use after a free one: Can't listen on 127.0.0.1:PORT: Address already in use (errno 98)
int(0)
