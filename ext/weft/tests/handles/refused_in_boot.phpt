--TEST--
Calls that returned false during boot are not repeated, and neither are those of client() that set nothing
--EXTENSIONS--
weft
redis
mysqli
--SKIPIF--
<?php if (!getenv('WEFT_TEST_REDIS') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_REDIS and WEFT_TEST_MYSQL'); ?>
--FILE--
<?php
use function Weft\Isolation\run;

[$host, $port] = explode(':', getenv('WEFT_TEST_REDIS'));
$redis = new Redis();
$redis->connect($host, (int) $port);
echo json_encode([
    $redis->client('getname'),
    $redis->setOption(Redis::OPT_SERIALIZER, 99),
    $redis->client('kill', '127.0.0.1:1'),
    $redis->client('setname', 'of-the-boot'),
]), "\n";
$redis->client('list');

mysqli_report(MYSQLI_REPORT_OFF);
parse_str(strtr(substr(getenv('WEFT_TEST_MYSQL'), 6), ';', '&'), $to);
$mysqli = new mysqli($to['host'], $to['user'], '', $to['dbname'], (int) $to['port']);
echo json_encode([$mysqli->query('SET @@no_such_setting = 1'), $mysqli->query("SET @boot = 'yes'")]), "\n";
Weft\Isolation\snapshot();

$lists = static fn (): int => (int) substr(strstr($redis->info('commandstats')['cmdstat_client|list'], 'calls='), 6);
$before = $lists();
run(function () use ($redis, $mysqli) {
    try {
        echo json_encode([$redis->ping(), $redis->client('getname')]), "\n";
    } catch (Throwable $e) {
        echo $e->getMessage(), "\n";
    }
    try {
        echo json_encode($mysqli->query('select @boot')->fetch_row()), "\n";
    } catch (Throwable $e) {
        echo $e->getMessage(), "\n";
    }
});
echo 'client list: ', $lists() - $before, "\n";
?>
--EXPECT--
[false,false,false,true]
[false,true]
[true,"of-the-boot"]
["yes"]
client list: 0
