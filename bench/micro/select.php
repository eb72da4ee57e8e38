<?php

declare(strict_types=1);

// A prepared SELECT through pdo_pgsql: CPU time and system calls of the PHP process, in a coroutine and plain.
// "prepared once" executes one statement again and again; "prepared each time" makes a new one for every query,
// as Laravel does. System calls are what strace counts for the long run minus what it counts for the short one;
// the database is behind the delay proxy for that, since strace makes PHP so slow that the answer would always be
// there before PHP waits for it, and then nothing has to wait.

use Weft\Bench\Failure;
use Weft\Bench\Json;
use Weft\Bench\Pair;
use Weft\Bench\Postgres;
use Weft\Bench\Program;
use Weft\Bench\Workspace;

const QUERIES = 6_000;
const TRACED = [100, 300];

/** @return float microseconds of CPU time a query */
function queries(bool $once): float
{
    $count = (int) (getenv('QUERIES') ?: QUERIES);
    $pdo = new PDO((string) getenv('NEAR'), Postgres::USER);
    $sql = 'SELECT relname FROM pg_class WHERE oid = ?';
    $statement = $pdo->prepare($sql);
    $query = static function (PDOStatement $statement): void {
        $statement->execute([1259]);
        if ($statement->fetchColumn() !== 'pg_class') {
            throw new Failure('the query returned something else');
        }
    };
    $query($statement);
    $start = Pair::cpu();
    for ($i = 0; $i < $count; $i++) {
        $query($once ? $statement : $pdo->prepare($sql));
    }

    return (Pair::cpu() - $start) / 1e3 / $count;
}

/** @return float system calls a query, of the samples of the pair of that index */
function system_calls(int $index, bool $withWeft): float
{
    $strace = Program::find('strace', 'strace');
    $sample = [...Pair::php(new Workspace(), $withWeft), dirname(__DIR__) . '/sample.php', 'select', (string) $index, $withWeft ? 'measured' : 'against'];
    $counts = [];
    foreach (TRACED as $count) {
        $file = tempnam(sys_get_temp_dir(), 'weft-strace') ?: throw new Failure('no temporary file');
        $output = Program::must('strace', [$strace, '-f', '-c', '-o', $file, ...$sample], ['QUERIES' => (string) $count, 'NEAR' => (string) getenv('FAR')]);
        $table = (string) file_get_contents($file);
        unlink($file);
        if (preg_match('/^\s*100\.00\s+\S+\s+(?:\S+\s+)?(\d+)\s+(?:\d+\s+)?total$/m', $table, $match) !== 1) {
            throw new Failure('strace: ' . Json::excerpt($output . $table));
        }
        $counts[] = (int) $match[1];
    }

    return ($counts[1] - $counts[0]) / (TRACED[1] - TRACED[0]);
}

$once = static fn (): float => queries(true);
$each = static fn (): float => queries(false);
$calls = static fn (int $index, string $how): Pair => new Pair(
    "system calls of a SELECT prepared $how, against plain PDO",
    'calls',
    // Nothing of this process is counted: it starts those that are.
    static fn (): float => system_calls($index, true),
    static fn (): float => system_calls($index, false),
    1.0,
    1,
    database: true,
    weft: false,
);

return [
    new Pair('CPU of a SELECT prepared once, against plain PDO', 'microseconds', static fn (): float => Pair::inCoroutine($once), $once, 1.05, 9, database: true),
    new Pair('CPU of a SELECT prepared each time, against plain PDO', 'microseconds', static fn (): float => Pair::inCoroutine($each), $each, 1.05, 9, database: true),
    $calls(0, 'once'),
    $calls(1, 'each time'),
];
