<?php

declare(strict_types=1);

// Queries on one connection of the pool, each prepared anew as Laravel does it, against plain PDO in a PHP without Weft:
// with the database 1.1 ms away each way, where the cache of prepared statements saves round trips, and without a
// distance and without the cache, where the pool must not cost anything worth mentioning. Time on the clock.

use Weft\Bench\Failure;
use Weft\Bench\Pair;
use Weft\Bench\Postgres;

const FAR_QUERIES = 150;
const NEAR_QUERIES = 6_000;

/** @return float microseconds a query */
function pool_queries(string $where, int $count): float
{
    $pdo = new PDO((string) getenv($where), Postgres::USER);
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

/** @param list<string> $settings */
function pool_pair(string $name, string $where, int $count, float $target, int $samples, array $settings = []): Pair
{
    $side = static fn (): float => pool_queries($where, $count);

    return new Pair("$name, against plain PDO", 'microseconds', static fn (): float => Pair::inCoroutine($side), $side, $target, $samples, $settings, database: true);
}

return [
    pool_pair('time of a repeated SELECT at 1.1 ms each way', 'FAR', FAR_QUERIES, 0.5, 5),
    pool_pair('time of a SELECT without distance and without the cache', 'NEAR', NEAR_QUERIES, 1 / 0.97, 9, ['weft.pdo_statement_cache=0']),
    pool_pair('time of a repeated SELECT without distance', 'NEAR', NEAR_QUERIES, 1.0, 5),
];
