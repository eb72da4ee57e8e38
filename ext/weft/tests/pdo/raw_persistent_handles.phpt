--TEST--
Persistent connections of mysqli and phpredis never serve two domains at the same time, nor carry what one has left to the next
--EXTENSIONS--
weft
mysqli
redis
--SKIPIF--
<?php if (!getenv('WEFT_TEST_MYSQL') || !getenv('WEFT_TEST_REDIS')) die('skip needs WEFT_TEST_MYSQL and WEFT_TEST_REDIS'); ?>
--FILE--
<?php
require __DIR__ . '/servers.inc';

preg_match('/host=([^;]+);port=(\d+);dbname=(\w+);user=(\w+)/', getenv('WEFT_TEST_MYSQL'), $mysql);
[$host, $port] = explode(':', getenv('WEFT_TEST_REDIS'));
$mysqli = fn () => new mysqli("p:$mysql[1]", $mysql[4], null, $mysql[3], (int) $mysql[2]);
$redis = function () use ($host, $port) {
    $redis = new Redis();
    $redis->pconnect($host, (int) $port);
    return $redis;
};
$kinds = [
    'mysqli' => [
        $mysqli,
        fn (mysqli $it) => (int) $it->query('select connection_id()')->fetch_column(),
        fn (mysqli $it, int $i) => $it->query("set @mine = $i"),
        fn (mysqli $it) => $it->query('select @mine')->fetch_column(),
    ],
    'redis' => [
        $redis,
        fn (Redis $it) => (int) $it->rawCommand('client', 'id'),
        fn (Redis $it, int $i) => $it->rawCommand('client', 'setname', "mine-$i"),
        fn (Redis $it) => $it->rawCommand('client', 'getname') ?: null,
    ],
];
Weft\Isolation\snapshot();
foreach ($kinds as $name => [$open, $id, $set, $get]) {
    foreach ([1, 32] as $count) {
        $seen = at_once($count, function (int $i) use ($open, $id, $set, $get) {
            $it = $open();
            $before = $get($it);
            $set($it, $i);
            Async\delay(20);
            return [$id($it), $before, str_contains((string) $get($it), (string) $i)];
        });
        $ids = array_column($seen, 0);
        echo "$name, $count: ", count(array_unique($ids)), ' connections, found ',
            json_encode(array_unique(array_column($seen, 1))), ', own ', json_encode(array_unique(array_column($seen, 2))), "\n";
    }
}
?>
--EXPECT--
mysqli, 1: 1 connections, found [null], own [true]
mysqli, 32: 32 connections, found [null], own [true]
redis, 1: 1 connections, found [null], own [true]
redis, 32: 32 connections, found [null], own [true]
