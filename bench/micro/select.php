<?php

declare(strict_types=1);

// A prepared SELECT through pdo_pgsql: CPU time and system calls of the PHP process, in a coroutine and plain.
// "prepared once" executes one statement again and again; "prepared each time" makes a new one for every query,
// as Laravel does. System calls are what strace counts for the long run minus what it counts for the short one;
// the database is behind the delay proxy for that, since strace makes PHP so slow that the answer would always be
// there before PHP waits for it, and then nothing has to wait.

use Weft\Bench\Clock;
use Weft\Bench\Failure;
use Weft\Bench\Missing;
use Weft\Bench\NearAndFar;
use Weft\Bench\Pair;
use Weft\Bench\Postgres;
use Weft\Bench\Value;
use Weft\Bench\Workspace;

require __DIR__ . '/../autoload.php';

const QUERIES = 6_000;
const TRACED = [100, 300];
const TRACED_DELAY_MS = 2.0;

/** @return float microseconds of CPU time a query */
function queries(bool $once, int $count): float
{
    $pdo = new PDO('pgsql:host=127.0.0.1;sslmode=disable;port=' . getenv('DB_PORT') . ';dbname=' . Postgres::DATABASE, Postgres::USER);
    $sql = 'SELECT relname FROM pg_class WHERE oid = ?';
    $statement = $pdo->prepare($sql);
    $query = static function (PDOStatement $statement): void {
        $statement->execute([1259]);
        if ($statement->fetchColumn() !== 'pg_class') {
            throw new Failure('the query returned something else');
        }
    };
    $query($statement);
    $start = Clock::cpu();
    for ($i = 0; $i < $count; $i++) {
        $query($once ? $statement : $pdo->prepare($sql));
    }

    return (Clock::cpu() - $start) / 1e3 / $count;
}

function queries_in_coroutine(bool $once, int $count): float
{
    $result = 0.0;
    Async\await(Async\spawn(static function () use (&$result, $once, $count): void {
        $result = queries($once, $count);
    }));

    return $result;
}

/** @return float system calls a query */
function system_calls(bool $withWeft, bool $once): float
{
    $strace = Workspace::tool('strace', 'strace');
    $counts = [];
    foreach (TRACED as $count) {
        $file = tempnam(sys_get_temp_dir(), 'weft-strace') ?: throw new Failure('no temporary file');
        $how = ($withWeft ? 'measured' : 'against') . ':' . ($once ? 'once' : 'each') . ":$count";
        [$status, $output] = Workspace::capture([$strace, '-f', '-c', '-o', $file, ...Pair::php($withWeft), __FILE__, "--run=$how"]);
        $table = (string) file_get_contents($file);
        unlink($file);
        if ($status !== 0 || preg_match('/^\s*100\.00\s+\S+\s+(?:\S+\s+)?(\d+)\s+(?:\d+\s+)?total$/m', $table, $match) !== 1) {
            throw new Failure('strace: ' . Value::excerpt($output . $table));
        }
        $counts[] = (int) $match[1];
    }

    return ($counts[1] - $counts[0]) / (TRACED[1] - TRACED[0]);
}

$argument = Pair::arguments()[0] ?? '';
if (preg_match('/^--run=(measured|against):(once|each):(\d+)$/', $argument, $run) === 1) {
    $side = $run[1] === 'measured' ? queries_in_coroutine(...) : queries(...);
    $side($run[2] === 'once', (int) $run[3]);
    exit(0);
}

if (!str_starts_with($argument, '--sample=')) {
    $database = NearAndFar::start('prepared SELECT', TRACED_DELAY_MS);
    putenv("DB_PORT=$database->farPort");
    foreach ([true, false] as $once) {
        $name = 'system calls of a SELECT prepared ' . ($once ? 'once' : 'each time') . ', against plain PDO';
        $plain = null;
        try {
            $plain = system_calls(false, $once);
            $result = Pair::result($name, 'calls', [system_calls(true, $once)], [$plain], 1.0);
        } catch (Missing | Failure $e) {
            $result = Pair::without($name, $e) + ['against' => $plain === null ? '' : "$plain calls"];
        }
        Pair::report($result, in_array('--json', Pair::arguments(), true));
    }
    putenv("DB_PORT=$database->nearPort");
}

Pair::main(
    new Pair(
        'CPU of a SELECT prepared once, against plain PDO',
        'µs',
        static fn (): float => queries_in_coroutine(true, QUERIES),
        static fn (): float => queries(true, QUERIES),
        1.05,
        9,
    ),
    new Pair(
        'CPU of a SELECT prepared each time, against plain PDO',
        'µs',
        static fn (): float => queries_in_coroutine(false, QUERIES),
        static fn (): float => queries(false, QUERIES),
        1.05,
        9,
    ),
);
