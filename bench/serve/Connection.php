<?php

declare(strict_types=1);

namespace Weft\Bench\Serve;

use PDO;
use PDOStatement;

/** One connection to PostgreSQL or MariaDB. It keeps its statements for as long as the server that it is used in keeps objects. */
final class Connection
{
    /** @var array<string, PDOStatement> by their text */
    private array $statements = [];

    private function __construct(private readonly PDO $pdo)
    {
    }

    public static function open(bool $persistent = false): self
    {
        $kind = getenv('DB_CONNECTION') === 'mariadb' ? 'mysql:host=%s;port=%s;dbname=%s' : 'pgsql:host=%s;port=%s;dbname=%s;sslmode=disable';

        return new self(new PDO(
            sprintf($kind, getenv('DB_HOST'), getenv('DB_PORT'), getenv('DB_DATABASE')),
            (string) getenv('DB_USERNAME'),
            '',
            [PDO::ATTR_PERSISTENT => $persistent, PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC],
        ));
    }

    /** Whether the environment names a database. */
    public static function isThere(): bool
    {
        return (string) getenv('DB_HOST') !== '';
    }

    /**
     * @param list<mixed> $values
     *
     * @return list<array<string, mixed>>
     */
    public function rows(string $sql, array $values = []): array
    {
        $statement = $this->statements[$sql] ??= $this->pdo->prepare($sql);
        $statement->execute($values);

        return $statement->fetchAll();
    }
}
