<?php

declare(strict_types=1);

namespace Weft\Bench;

use PDO;

/**
 * What the pages of bench/serve/Pages.php are about: tables as TechEmpower and HttpArena describe them, a data set and
 * files. It is made up here, by a rule, so every run has the same.
 */
final class Material
{
    public const WORLDS = 10_000;
    private const ITEMS = 100_000;
    private const DATASET = 50;

    /** What has to be escaped, what sorts before capitals and behind the Latin alphabet, a dash and an apostrophe. */
    private const FORTUNES = [
        'a lower case letter sorts behind every capital', 'Whoever asks the database twice has to wait twice.', 'It worked on the other machine; ship the other machine.',
        'Two coroutines met; neither remembered the other.', 'The cache isn\'t wrong, it is early.', '<script>alert("An alert here: nobody has escaped this.");</script>',
        'Numbers don\'t lie — benchmarks do.', 'Zero errors were found by nobody who looked for none.', '5 > 4 & 4 < 5, on most machines', 'Be kind to the next one: log why.',
        'Every queue was short once.', '速い返事は待たない人を待たせない',
    ];

    private const KINDS = ['books', 'garden', 'kitchen', 'music', 'tools'];
    private const TAGS = ['new', 'light', 'heavy', 'spare', 'large', 'small'];

    /** Bytes by name: as many of each kind and of such sizes as HttpArena has. */
    private const FILES = [
        'base.css' => 8192, 'grid.css' => 25_600, 'colours.css' => 18_432, 'parts.css' => 204_800, 'helpers.css' => 61_440,
        'count.js' => 12_288, 'tools.js' => 22_528, 'main.js' => 204_800, 'others.js' => 307_200, 'routes.js' => 35_840,
        'head.html' => 122_880, 'foot.html' => 56_320, 'text.woff2' => 18_432, 'title.woff2' => 22_528, 'mark.svg' => 15_344, 'icons.svg' => 71_680,
        'front.webp' => 46_080, 'left.webp' => 8192, 'right.webp' => 6144, 'site.json' => 2883,
    ];

    private function __construct(private readonly string $directory)
    {
    }

    /** Fills the database as well. */
    public static function make(Workspace $workspace, int $port): self
    {
        self::fill(self::connect($port));

        return self::files($workspace);
    }

    /** Writes the data set and the files below this run's directory. */
    public static function files(Workspace $workspace): self
    {
        $self = new self(Workspace::directory("$workspace->run/material"));
        Workspace::put("$self->directory/items.json", (string) json_encode(self::items()));
        Workspace::directory($self->folder());
        foreach (self::contents() as $name => $content) {
            Workspace::put("{$self->folder()}/$name", $content);
        }

        return $self;
    }

    public static function connect(int $port): PDO
    {
        return new PDO(Postgres::dsn($port), Postgres::USER, options: [PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_KEY_PAIR]);
    }

    /** @return array<string, string> for bench/serve */
    public function environment(): array
    {
        return ['DATASET' => "$this->directory/items.json", 'STATIC_FILES' => $this->folder()];
    }

    /** Where the files are. */
    public function folder(): string
    {
        return "$this->directory/files";
    }

    /** @return array<int, string> the rows of the table, by id */
    public static function fortunes(): array
    {
        return array_combine(range(1, count(self::FORTUNES)), self::FORTUNES);
    }

    /** @return array<string, string> by name */
    public static function contents(): array
    {
        return array_combine($names = array_keys(self::FILES), array_map(self::content(...), $names, self::FILES));
    }

    /** @return list<array{id: int, name: string, category: string, price: int, quantity: int, active: bool, tags: list<string>, rating: array{score: int, count: int}}> */
    public static function items(): array
    {
        $items = [];
        for ($id = 1; count($items) < self::DATASET; $id++) {
            $items[] = [
                'id' => $id, 'name' => "Article $id", 'category' => self::KINDS[$id % 5], 'price' => $id * 37 % 500 + 1, 'quantity' => $id * 53 % 97 + 1, 'active' => $id % 3 !== 0,
                'tags' => array_slice(self::TAGS, $id % 3, 1 + $id % 4), 'rating' => ['score' => $id * 7 % 50 + 1, 'count' => $id * 11 % 500 + 1],
            ];
        }

        return $items;
    }

    /** Without a byte of zero, so that the load generator can look for the end, which is the name. */
    private static function content(string $name, int $bytes): string
    {
        $text = '';
        for ($line = 0; strlen($text) < $bytes; $line++) {
            $text .= hash('sha256', "$name $line") . "\n";
        }

        return substr($text, 0, $bytes - strlen($name)) . $name;
    }

    private static function fill(PDO $database): void
    {
        $database->exec('DROP TABLE IF EXISTS world, fortune, items');
        $database->exec('CREATE TABLE world (id integer PRIMARY KEY, randomnumber integer NOT NULL)');
        $database->exec('INSERT INTO world SELECT id, id::bigint * 7919 % 10000 + 1 FROM generate_series(1, ' . self::WORLDS . ') AS id');
        $database->exec('CREATE TABLE fortune (id integer PRIMARY KEY, message varchar(2048) NOT NULL)');
        $insert = $database->prepare('INSERT INTO fortune VALUES (?, ?)');
        foreach (self::fortunes() as $id => $message) {
            $insert->execute([$id, $message]);
        }
        // No index on the price: HttpArena wants the table to be read.
        $database->exec('CREATE TABLE items (id integer PRIMARY KEY, name text NOT NULL, category text NOT NULL, price integer NOT NULL, quantity integer NOT NULL,
            active boolean NOT NULL, tags jsonb NOT NULL, rating_score integer NOT NULL, rating_count integer NOT NULL)');
        $database->exec("INSERT INTO items SELECT id, 'Article ' || id, 'books', id::bigint * 7919 % 500 + 1, id % 1000 + 1, id % 3 <> 0,
            '[\"new\", \"light\"]', id % 50 + 1, id % 500 + 1 FROM generate_series(1, " . self::ITEMS . ') AS id');
        $database->exec('VACUUM ANALYZE world, fortune, items');
    }
}
