--TEST--
A Memcached object of the boot is a connection of its own in each domain, with its servers and options
--EXTENSIONS--
weft
memcached
--SKIPIF--
<?php if (!is_executable('/usr/bin/memcached')) die('skip needs memcached'); ?>
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

$probe = stream_socket_server('tcp://127.0.0.1:0');
$port = (int) substr(strrchr(stream_socket_get_name($probe, false), ':'), 1);
fclose($probe);
$user = posix_getuid() === 0 ? ['-u', 'nobody'] : [];
$server = proc_open(['/usr/bin/memcached', '-l', '127.0.0.1', '-p', (string) $port, '-m', '8', ...$user], [], $pipes);
for ($i = 0; $i < 1000 && !($up = @fsockopen('127.0.0.1', $port)); $i++) {
    usleep(5000);
}
// the server counts a connection only when a thread of its own has taken it up
fwrite($up, "version\r\n");
fgets($up);
fclose($up);

$memcached = new Memcached();
$memcached->addServer('127.0.0.1', $port);
$memcached->setOption(Memcached::OPT_PREFIX_KEY, 'weft:');
$memcached->setOptions([Memcached::OPT_COMPRESSION => false]);
$memcached->set('settings', 'boot');
$connections = fn (): int => (int) current($memcached->getStats())['total_connections'];
$before = $connections();
Weft\Isolation\snapshot();
$wrong = 0;
in_domains(function (string $me) use ($memcached, &$wrong) {
    $report = [$memcached->get('settings')];
    turn();
    for ($i = 0; $i < 50; $i++) {
        $memcached->set("k$me", "$me$i");
        $memcached->get("nothing$me");
        $missed = $memcached->getResultCode();
        turn();
        $wrong += $missed === $memcached->getResultCode() && $memcached->get("k$me") === "$me$i" ? 0 : 1;
    }
    $memcached->setOption(Memcached::OPT_PREFIX_KEY, "$me:");
    turn();
    return [...$report, $memcached->getOption(Memcached::OPT_PREFIX_KEY), $memcached->getOption(Memcached::OPT_COMPRESSION), count($memcached->getServerList())];
});
echo "wrong: $wrong, connections: ", $connections() - $before, ' ', $memcached->getOption(Memcached::OPT_PREFIX_KEY), "\n";
proc_terminate($server);
proc_close($server);
?>
--EXPECT--
a: ["boot","a:",false,1]
b: ["boot","b:",false,1]
wrong: 0, connections: 2 weft:
