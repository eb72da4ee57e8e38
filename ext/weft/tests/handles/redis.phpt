--TEST--
A Redis object of the boot is a connection of its own in each domain, with all that the boot has set on it
--EXTENSIONS--
weft
redis
--SKIPIF--
<?php if (!getenv('WEFT_TEST_REDIS')) die('skip needs WEFT_TEST_REDIS'); ?>
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

[$host, $port] = explode(':', getenv('WEFT_TEST_REDIS'));

final class Named extends Redis
{
    public string $name = 'boot';
}

$redis = new Redis();
$redis->connect($host, (int) $port, 5.0);
$redis->select(3);
$redis->setOption(Redis::OPT_PREFIX, 'weft_handles:');
$redis->setOption(Redis::OPT_SERIALIZER, Redis::SERIALIZER_PHP);
$redis->client('setname', 'of-the-boot');
$named = new Named();
$named->connect($host, (int) $port);
$never = new Redis();
$id = static fn (Redis $redis): mixed => $redis->rawCommand('CLIENT', 'ID');
$ids = [$id($redis), $id($named)];
Weft\Isolation\snapshot();

in_domains(function (string $me) use ($redis, $named, $never, $id, $host, $port, &$ids) {
    $redis->set('who', [$me]);
    turn();
    array_push($ids, $id($redis), $id($named));
    $named->name = $me;
    turn();
    $chained = $redis->multi() === $redis;
    turn();
    $redis->set("k:$me", $me);
    turn();
    $redis->get("k:$me");
    turn();
    $answers = $redis->exec();
    // long answers, so that two on one connection would be torn
    $long = str_repeat($me, 300000);
    $redis->set("long:$me", $long);
    turn();
    $same = $redis->get("long:$me") === $long;
    $redis->select(4);
    turn();
    $report = [
        'multi returns the handle' => $chained,
        'answers' => $answers,
        'long' => $same,
        'database' => $redis->getDbNum(),
        'name' => $redis->client('getname'),
        'prefix' => $redis->getOption(Redis::OPT_PREFIX),
        'subclass' => [$named->name, $named->ping(), $named->getDbNum()],
        'connected' => $redis->isConnected(),
    ];
    try {
        $never->get('x');
    } catch (RedisException $e) {
        // of newer versions the message has the address
        $report['never connected'] = str_replace(' 127.0.0.1:6379', '', $e->getMessage());
    }
    $never->connect($host, (int) $port);
    turn();
    $report['connected later'] = $never->ping();
    $redis->select(3);
    $redis->del('who', "k:$me", "long:$me");
    return $report;
});
echo 'connections: ', count(array_unique($ids)), "\n";
$open = static fn (): int => count(array_intersect(array_column($redis->client('list'), 'id'), array_slice($ids, 2)));
for ($i = 0; $i < 500 && $open() > 0; $i++) {
    Async\delay(5);
}
echo 'left when the domains are gone: ', $open(), "\n";
echo json_encode([Weft\Isolation\stats()['uncovered'], Weft\Isolation\stats()['refused'], Weft\Isolation\uncovered()]), "\n";
?>
--EXPECT--
a: {"multi returns the handle":true,"answers":[true,"a"],"long":true,"database":4,"name":"of-the-boot","prefix":"weft_handles:","subclass":["a",true,0],"connected":true,"never connected":"Redis server went away","connected later":true}
b: {"multi returns the handle":true,"answers":[true,"b"],"long":true,"database":4,"name":"of-the-boot","prefix":"weft_handles:","subclass":["b",true,0],"connected":true,"never connected":"Redis server went away","connected later":true}
connections: 6
left when the domains are gone: 0
[[],[],[]]
