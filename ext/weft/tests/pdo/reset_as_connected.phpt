--TEST--
MySQL: a reset brings back who connected, by which password, and the character set, wherever they were given
--EXTENSIONS--
weft
pdo
pdo_mysql
--SKIPIF--
<?php
require __DIR__ . '/private_servers.inc';
if ($missing = PrivateServer::missing()) die("skip $missing");
?>
--INI--
weft.pdo_pool_max=1
--FILE--
<?php
require __DIR__ . '/servers.inc';
require __DIR__ . '/private_servers.inc';

$server = PrivateServer::mariadb();
$administrator = new PDO($server->dsn, $server->user);
$administrator->exec("create user weft_secret@localhost identified by 'se;cret'");
$administrator->exec('create database weft_other');
unset($administrator);
$place = preg_replace('/;?dbname=\w+/', '', $server->dsn);

$ways = [
    'in the constructor' => [$place, 'weft_secret', 'se;cret'],
    'in the DSN' => ["$place;user=weft_secret;password=se;;cret", null, null],
    'in both, where the constructor wins' => ["$place;user=nobody;password=wrong", 'weft_secret', 'se;cret'],
    'with a character set' => ["$place;charset=cp1250", 'weft_secret', 'se;cret'],
    'with a database' => ["$place;charset=latin2;dbname=weft_other", $server->user, null],
];
$ask = 'select connection_id(), substring_index(current_user(), "@", 1), database(), @@character_set_client, @@collation_connection, @left';
foreach ($ways as $way => $arguments) {
    [$before] = at_once(1, function () use ($arguments, $ask): array {
        $pdo = new PDO(...$arguments);
        $said = $pdo->query($ask)->fetch(PDO::FETCH_NUM);
        $pdo->exec("execute immediate 'set names greek'");
        $pdo->exec('set @left = 1');
        $pdo->exec('use information_schema');

        return $said;
    });
    [$after] = at_once(1, fn () => (new PDO(...$arguments))->query($ask)->fetch(PDO::FETCH_NUM));
    echo "$way: ", $before[1], ' ', $before[2] ?? 'no database', str_contains($arguments[0], 'charset') ? " $before[3], " : ', ',
        $before[0] === $after[0] ? 'the same connection, ' : 'another connection, ',
        $before === $after ? 'as before' : json_encode([$before, $after]), "\n";
}
?>
--EXPECT--
in the constructor: weft_secret no database, the same connection, as before
in the DSN: weft_secret no database, the same connection, as before
in both, where the constructor wins: weft_secret no database, the same connection, as before
with a character set: weft_secret no database cp1250, the same connection, as before
with a database: weft weft_other latin2, the same connection, as before
