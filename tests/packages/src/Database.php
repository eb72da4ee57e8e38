<?php

declare(strict_types=1);

namespace Weft\PackageTests;

use PDO;

/** Each server begins with a copy of the database that was seeded once. */
final class Database
{
    public const SEEDED = 'weft_packages_seeded';
    public const NAME = 'weft_packages';

    /** Empty, for seed.php to fill. */
    public static function prepare(string $name): void
    {
        self::recreate($name);
    }

    public static function copySeeded(string $seeded): void
    {
        self::recreate(self::NAME, " template $seeded");
    }

    /**
     * What the packages have left there.
     *
     * @param list<string> $queries
     */
    public static function effects(array $queries): string
    {
        $database = self::connect(self::NAME);
        $text = '';
        foreach ($queries as $query) {
            $rows = $database->query($query);
            foreach ($rows === false ? [] : $rows->fetchAll(PDO::FETCH_NUM) as $row) {
                $text .= json_encode($row, JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR) . "\n";
            }
            $text .= "\n";
        }

        return $text;
    }

    private static function recreate(string $name, string $how = ''): void
    {
        $server = self::connect('postgres');
        $server->exec("drop database if exists $name with (force)");
        $server->exec("create database $name$how");
    }

    private static function connect(string $name): PDO
    {
        $port = getenv('DB_PORT') ?: '24329';

        return new PDO("pgsql:host=127.0.0.1;port=$port;dbname=$name", 'laravel', '', [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
    }
}
