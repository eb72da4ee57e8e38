<?php

declare(strict_types=1);

// query.php KIND DSN COUNT request|plain: runs so many queries of a kind, in a domain of its own as a request has one or in
// plain PHP, for tools/count-query-instructions, which counts the instructions of two runs and takes the difference.

/** @return Closure(): mixed one query of that kind; what it returns is the same each time */
function query_of_kind(string $kind, PDO $pdo): Closure
{
    // no table, and for both servers: what the server does is none of the client's instructions
    $one = 'SELECT CONCAT(\'answer \', CAST(? AS CHAR(9))) AS answer';
    $rows = 'WITH RECURSIVE n (a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n WHERE a < 100) '
        . 'SELECT a, a + 1 AS b, CONCAT(\'row\', a) AS c, a * a AS d FROM n WHERE a > CAST(? AS DECIMAL)';
    $statement = $pdo->prepare($kind === 'rows' ? $rows : $one);

    return match ($kind) {
        'once' => static fn (): mixed => $statement->execute(['a']) ? $statement->fetchColumn() : null,
        'rows' => static fn (): mixed => $statement->execute(['0']) ? count($statement->fetchAll(PDO::FETCH_ASSOC)) : null,
        'each' => static function () use ($pdo, $one): mixed {
            $statement = $pdo->prepare($one);

            return $statement->execute(['a']) ? $statement->fetchColumn() : null;
        },
        'query' => static fn (): mixed => ($pdo->query('SELECT 7') ?: throw new RuntimeException())->fetchColumn(),
        'exec' => static fn (): mixed => $pdo->exec($pdo->getAttribute(PDO::ATTR_DRIVER_NAME) === 'mysql' ? 'DO 7' : 'SELECT 7'),
        default => throw new InvalidArgumentException("There is no kind \"$kind\"."),
    };
}

/** @param array<string> $arguments */
function run_queries(array $arguments): void
{
    [, $kind, $dsn, $count] = $arguments + ['', '', '', '0'];
    $pdo = new PDO($dsn, options: [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION, PDO::ATTR_EMULATE_PREPARES => false]);
    $query = query_of_kind($kind, $pdo);
    $expected = $query();
    for ($i = 0; $i < (int) $count; $i++) {
        if ($query() !== $expected) {
            throw new RuntimeException('the query returned something else');
        }
    }
}

if (($argv[4] ?? '') === 'request') {
    Weft\Isolation\snapshot();
    Async\await(Async\spawn(static fn (): mixed => Weft\Isolation\run(static fn () => run_queries($argv))));
} else {
    run_queries($argv);
}
