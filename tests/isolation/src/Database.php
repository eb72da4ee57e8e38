<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

use PDO;

/** The harness's own way to the database: what behaviours left there, and a clean start. */
final class Database
{
    private const TABLES = ['effects' => 'what, value', 'owners' => 'name, note', 'things' => 'owner, name, note'];

    public static function connect(string $name = ''): PDO
    {
        $name = $name === '' ? self::name() : $name;

        return new PDO(
            sprintf('pgsql:host=127.0.0.1;port=%s;dbname=%s', getenv('DB_PORT') ?: '24329', $name),
            'laravel',
            '',
            [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION],
        );
    }

    public static function name(): string
    {
        return getenv('DB_DATABASE') ?: 'weft_isolation';
    }

    public static function create(): void
    {
        $server = self::connect('postgres');
        $found = $server->query("select 1 from pg_database where datname = '" . self::name() . "'");
        if ($found === false || $found->fetchColumn() === false) {
            $server->exec('create database ' . self::name());
        }
        $schema = '';
        foreach (array_keys(self::TABLES) as $table) {
            $schema .= "drop table if exists $table cascade;";
        }
        self::connect()->exec($schema . <<<'SQL'
            create unlogged table effects (id bigserial primary key, behaviour text not null, identity int not null, what text not null, value text);
            create unlogged table owners (id bigserial primary key, behaviour text not null, identity int not null, name text, note text,
                created_at timestamp, updated_at timestamp, deleted_at timestamp);
            create unlogged table things (id bigserial primary key, behaviour text not null, identity int not null, owner text, owner_id bigint, name text, note text,
                created_at timestamp, updated_at timestamp, deleted_at timestamp);
            SQL);
    }

    public static function clean(PDO $database): void
    {
        $database->exec(implode(';', array_map(static fn (string $table): string => "delete from $table", array_keys(self::TABLES))));
    }

    /**
     * What each identity of each behaviour left, without what differs from run to run (numbers of rows, times).
     *
     * @return array<string, string> by "behaviour/identity"
     */
    public static function effects(PDO $database): array
    {
        $found = [];
        foreach (self::TABLES as $table => $columns) {
            $rows = $database->query("select behaviour || '/' || identity, row($columns, " . (
                $table === 'effects' ? 'null' : 'created_at is null, deleted_at is null'
            ) . ")::text from $table order by 1, 2");
            foreach ($rows === false ? [] : $rows->fetchAll(PDO::FETCH_NUM) as $row) {
                if (is_array($row) && is_string($row[0]) && is_string($row[1])) {
                    $found[$row[0]] = ($found[$row[0]] ?? '') . "$table $row[1]\n";
                }
            }
        }

        return $found;
    }
}
