--TEST--
A server that is full refuses one connection while others are being opened: who wanted it waits for those; when none of them comes, the server's refusal is the error
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
pcntl
--SKIPIF--
<?php require __DIR__ . '/private_servers.inc'; if ($missing = PrivateServer::missing()) die("skip $missing"); ?>
--INI--
weft.pdo_pool_max=4
weft.pdo_acquire_timeout=60
error_log=/dev/null
--FILE--
<?php
require __DIR__ . '/servers.inc';
require __DIR__ . '/private_servers.inc';
require __DIR__ . '/wire.inc';

$servers = [
    'pgsql' => PrivateServer::postgres(['max_connections' => '5', 'superuser_reserved_connections' => '0', 'max_wal_senders' => '0']),
    'mysql' => PrivateServer::mariadb(['--max-connections=10']),
];
$wires = array_map(fn (PrivateServer $server) => new Wire($server->dsn), $servers);
Weft\Isolation\snapshot();
foreach ($servers as $name => $server) {
    echo "-- $name\n";
    $wire = $wires[$name];
    // a pool of its own for each number
    $request = fn (int $number): string => caught(
        fn () => (new PDO($wire->dsn(), $server->user, null, [PDO::ATTR_TIMEOUT => 1000 + $number]))->query('select 1')->fetchAll(),
    );
    $told = fn (string $said): string => preg_match('/PDOException.*too many/i', $said) ? 'refused' : $said;
    $begin = fn (int $number) => Async\spawn(fn () => Weft\Isolation\run(fn () => $request($number)));

    foreach (['another pool' => [1, 2], 'the same pool' => [3, 3]] as $whose => [$connecting, $refused]) {
        echo "$whose: ", $request($connecting), "\n";
        foreach (['comes free', 'does not'] as $case) {
            Weft\Pool::closeIdle();
            Async\delay(200);
            // all but what connects, which is on its way for as long as this takes
            $wire->does = Wire::IS_SILENT;
            $before = $wire->opened;
            $slow = $begin($connecting);
            until(fn () => $wire->opened > $before);
            $somebody = proc_open([PHP_BINARY, '-r', '$all = []; try { for (;;) { $all[] = new PDO($argv[1], $argv[2]); } } catch (PDOException) { echo "all\n"; } fgets(STDIN);',
                $server->dsn, $server->user], [['pipe', 'r'], ['pipe', 'w']], $pipes);
            fgets($pipes[1]);

            $wire->does = Wire::FORWARDS;
            $before = $wire->opened;
            $others = [$begin($refused), $begin($refused)];
            until(fn () => $wire->opened > $before);
            Async\delay(300);
            echo "$case: ", count(array_filter($others, fn ($other) => $other->isCompleted())), ' done, ';
            if ($case === 'comes free') {
                fclose($pipes[0]);
                proc_close($somebody);
            } else {
                $slow->cancel();
            }
            echo implode(', ', array_map(fn ($other) => $told(Async\await($other)), $others)), "\n";
            $slow->cancel();
            if ($case !== 'comes free') {
                fclose($pipes[0]);
                proc_close($somebody);
            }
            Async\delay(100);
        }
    }
}
exit;
?>
--EXPECT--
-- pgsql
another pool: nothing
comes free: 0 done, nothing, nothing
does not: 0 done, refused, refused
the same pool: nothing
comes free: 0 done, nothing, nothing
does not: 0 done, refused, refused
-- mysql
another pool: nothing
comes free: 0 done, nothing, nothing
does not: 0 done, refused, refused
the same pool: nothing
comes free: 0 done, nothing, nothing
does not: 0 done, refused, refused
