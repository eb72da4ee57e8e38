<?php

declare(strict_types=1);

// Queries on one connection of the pool, each prepared anew as Laravel does it, against plain PDO in the same PHP:
// with the database 1.1 ms away each way, where the cache of prepared statements saves round trips, and without a
// distance and without the cache, where the pool must not cost anything worth mentioning. Time on the clock.

use Weft\Bench\Failure;
use Weft\Bench\NearAndFar;
use Weft\Bench\Pair;
use Weft\Bench\Postgres;

require __DIR__ . '/../autoload.php';

const AWAY_MS = 1.1;
const FAR_QUERIES = 150;
const NEAR_QUERIES = 6_000;

/** @return float microseconds a query */
function pool_queries(string $port, int $count): float
{
    $pdo = new PDO('pgsql:host=127.0.0.1;sslmode=disable;port=' . getenv($port) . ';dbname=' . Postgres::DATABASE, Postgres::USER);
    $query = static function () use ($pdo): void {
        $statement = $pdo->prepare('SELECT relname FROM pg_class WHERE oid = ?');
        $statement->execute([1259]);
        if ($statement->fetchColumn() !== 'pg_class') {
            throw new Failure('the query returned something else');
        }
    };
    $query();
    $start = hrtime(true);
    for ($i = 0; $i < $count; $i++) {
        $query();
    }

    return (hrtime(true) - $start) / 1e3 / $count;
}

function pool_queries_in_coroutine(string $port, int $count): float
{
    $result = 0.0;
    Async\await(Async\spawn(static function () use (&$result, $port, $count): void {
        $result = pool_queries($port, $count);
    }));

    return $result;
}

if (!str_starts_with(Pair::arguments()[0] ?? '', '--sample=')) {
    $database = NearAndFar::start('queries on one connection', AWAY_MS);
    putenv("NEAR_PORT=$database->nearPort");
    putenv("FAR_PORT=$database->farPort");
}

Pair::main(
    new Pair(
        'time of a repeated SELECT at ' . AWAY_MS . ' ms each way, against plain PDO',
        'µs',
        static fn (): float => pool_queries_in_coroutine('FAR_PORT', FAR_QUERIES),
        static fn (): float => pool_queries('FAR_PORT', FAR_QUERIES),
        0.5,
        5,
    ),
    new Pair(
        'time of a SELECT without distance and without the cache, against plain PDO',
        'µs',
        static fn (): float => pool_queries_in_coroutine('NEAR_PORT', NEAR_QUERIES),
        static fn (): float => pool_queries('NEAR_PORT', NEAR_QUERIES),
        1 / 0.97,
        9,
        ['weft.pdo_statement_cache=0'],
    ),
    new Pair(
        'time of a repeated SELECT without distance, against plain PDO',
        'µs',
        static fn (): float => pool_queries_in_coroutine('NEAR_PORT', NEAR_QUERIES),
        static fn (): float => pool_queries('NEAR_PORT', NEAR_QUERIES),
        1.0,
        5,
    ),
);
