--TEST--
A cancelled call of Memcached throws its cancellation, and no later get() has its answer
--EXTENSIONS--
weft
memcached
--SKIPIF--
<?php if (!is_executable('/usr/bin/memcached')) die('skip needs memcached'); ?>
--FILE--
<?php
require __DIR__ . '/cancelled.inc';

$probe = stream_socket_server('tcp://127.0.0.1:0');
$port = (int) substr(strrchr(stream_socket_get_name($probe, false), ':'), 1);
fclose($probe);
$user = posix_getuid() === 0 ? ['-u', 'nobody'] : [];
$server = proc_open(['/usr/bin/memcached', '-l', '127.0.0.1', '-p', (string) $port, '-m', '64', ...$user], [], $pipes);
for ($i = 0; $i < 1000 && !($up = @fsockopen('127.0.0.1', $port)); $i++) {
    usleep(5000);
}
fclose($up);
// a network that takes its time
$slow = stream_socket_server('tcp://127.0.0.1:0');
$slow_port = (int) substr(strrchr(stream_socket_get_name($slow, false), ':'), 1);
Async\spawn(function () use ($slow, $port) {
    while ($client = @stream_socket_accept($slow, 3600)) {
        $server = stream_socket_client("tcp://127.0.0.1:$port");
        foreach ([[$client, $server], [$server, $client]] as [$from, $to]) {
            Async\spawn(function () use ($from, $to) {
                while (($chunk = (string) @fread($from, 65536)) !== '') {
                    usleep(300);
                    if (!@fwrite($to, $chunk)) {
                        break;
                    }
                }
                @stream_socket_shutdown($to, STREAM_SHUT_RDWR);
            });
        }
    }
});
$open = function (string $id = '', bool $binary = false) use ($slow_port): Memcached {
    $memcached = $id === '' ? new Memcached() : new Memcached($id);
    if (!$memcached->getServerList()) {
        $memcached->setOption(Memcached::OPT_BINARY_PROTOCOL, $binary);
        $memcached->addServer('127.0.0.1', $slow_port);
    }

    return $memcached;
};
$ask = function (Memcached $memcached, string $text) {
    $memcached->set($text, $text);

    return $memcached->get($text);
};
$calls = [
    'get and set' => function ($memcached, $i) {
        for ($n = 0; $n < 10; $n++) {
            $memcached->set("c$i", "cancelled-$i");
            $memcached->get("c$i");
        }
    },
    'several at once' => function ($memcached, $i) {
        $keys = array_map(fn (int $n) => "c$i-$n", range(1, 20));
        $memcached->setMulti(array_fill_keys($keys, "cancelled-$i"));
        $memcached->getMulti($keys);
        $memcached->getDelayed($keys);
        $memcached->fetchAll();
    },
    'large values' => function ($memcached, $i) {
        $memcached->setOption(Memcached::OPT_COMPRESSION, false);
        $memcached->set("c$i", str_repeat("cancelled-$i ", 20000));
        for ($n = 0; $n < 5; $n++) {
            $memcached->get("c$i");
        }
    },
    'statistics' => fn ($memcached, $i) => [$memcached->getStats(), $memcached->getVersion(), $memcached->increment("n$i")],
    'persistent' => function ($memcached, $i) use ($open) {
        for ($n = 0; $n < 10; $n++) {
            $open("c$i")->get("none$i");
            $open("c$i")->set("c$i", "cancelled-$i");
        }
    },
];
cancel_at_random($calls, $open, $ask);
cancel_at_random(['binary' => $calls['get and set'], 'binary, several' => $calls['several at once']], fn () => $open('', true), $ask);
$wrong = 0;
for ($i = 0; $i < 39; $i++) {
    $wrong += in_array($ask($open("c$i"), "next-$i"), ["next-$i", false], true) ? 0 : 1;
}
echo "persistent ones later: $wrong wrong\n";
proc_terminate($server);
proc_close($server);
fclose($slow);
?>
--EXPECT--
get and set: some cancelled, nothing else thrown, 0 wrong answers
several at once: some cancelled, nothing else thrown, 0 wrong answers
large values: some cancelled, nothing else thrown, 0 wrong answers
statistics: some cancelled, nothing else thrown, 0 wrong answers
persistent: some cancelled, nothing else thrown, 0 wrong answers
binary: some cancelled, nothing else thrown, 0 wrong answers
binary, several: some cancelled, nothing else thrown, 0 wrong answers
persistent ones later: 0 wrong
