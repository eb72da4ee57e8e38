--TEST--
A PDO driver of a module that is not proven is an entrance: nobody else runs while it waits
--EXTENSIONS--
weft
pdo
pdo_odbc
--INI--
weft.time_slice=1000
--FILE--
<?php
use function Async\await;
use function Async\spawn;

function turns_during(callable $call): int
{
    $turns = 0;
    $over = false;
    $other = spawn(function () use (&$turns, &$over): void {
        while (!$over) {
            $turns++;
            usleep(500);
        }
    });
    usleep(1000);
    $before = $turns;
    try {
        $call();
        return $turns - $before;
    } finally {
        $over = true;
        await($other);
    }
}

preg_match_all('~(host|port|dbname)=([^;]+)~', (string) getenv('WEFT_TEST_PGSQL'), $server);
$server = array_combine($server[1], $server[2]);
$db = null;
$statement = null;
$ways = [
    'connect' => function () use (&$db, $server): void {
        $db = new PDO("odbc:Driver=PostgreSQL Unicode;Server=$server[host];Port=$server[port];Database=$server[dbname];Uid=laravel;Pwd=none");
    },
    'exec' => function () use (&$db): void {
        $db->exec('SELECT pg_sleep(0.02)');
    },
    'query' => function () use (&$db): void {
        $db->query('SELECT pg_sleep(0.02)')->fetchAll();
    },
    'execute' => function () use (&$db, &$statement): void {
        $statement = $db->prepare('SELECT pg_sleep(?), 5 AS five');
        $statement->execute([0.02]);
        var_dump((int) $statement->fetch(PDO::FETCH_ASSOC)['five']);
    },
    'usleep' => fn () => usleep(20000),
];
foreach ($ways as $name => $call) {
    $turns = turns_during($call);
    echo $name, ': ', $turns === 0 ? 'not left' : 'left', "\n";
}
?>
--EXPECT--
connect: not left
exec: not left
query: not left
int(5)
execute: not left
usleep: left
