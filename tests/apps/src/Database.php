<?php

declare(strict_types=1);

namespace Weft\AppTests;

use PDO;
use PDOStatement;

/** The private MariaDB of tools/services. */
final class Database
{
    /** Where new rows are numbered from: such numbers are nothing else in an answer, so they can be told there. */
    private const NEW_ROWS = 70_000_001;
    public const NEW_ROW = '~(?<!\d)7\d{7}(?!\d)~';

    private readonly PDO $server;

    public function __construct(public readonly int $port)
    {
        $this->server = new PDO("mysql:host=127.0.0.1;port=$port", 'root');
    }

    public function make(string $name): void
    {
        $this->drop($name);
        $this->server->exec("CREATE DATABASE `$name` CHARACTER SET utf8mb4");
    }

    public function drop(string $name): void
    {
        $this->server->exec("DROP DATABASE IF EXISTS `$name`");
    }

    public function execute(string $sql): void
    {
        $this->server->exec($sql);
    }

    public function copy(string $from, string $to): void
    {
        $this->make($to);
        $options = "--no-defaults --host=127.0.0.1 --port=$this->port --user=root";
        Debian::must(['bash', '-c', "set -o pipefail; mariadb-dump $options --skip-comments --routines $from | mariadb $options $to"]);
    }

    /** Which visitor's row comes first is nobody's decision: from now on such numbers can be recognised. */
    public function numberNewRows(string $name): void
    {
        $tables = $this->rows("SELECT table_name FROM information_schema.columns WHERE table_schema = '$name'
            AND extra LIKE '%auto_increment%' AND data_type IN ('int', 'bigint')");
        foreach ($tables as $table) {
            $this->server->exec("ALTER TABLE `$name`.`$table` AUTO_INCREMENT = " . self::NEW_ROWS);
        }
    }

    /**
     * @return list<string> the first column
     */
    private function rows(string $sql): array
    {
        $statement = $this->server->query($sql);

        return array_map(
            static fn (mixed $value): string => is_scalar($value) ? (string) $value : '',
            $statement instanceof PDOStatement ? array_values($statement->fetchAll(PDO::FETCH_COLUMN)) : [],
        );
    }
}
