<?php

declare(strict_types=1);

namespace Weft\Bench\Serve;

use Closure;
use Redis;

/**
 * Pages without a framework, the same behind every server: those of the scale and crowd suites, TechEmpower's tests and
 * HttpArena's profiles. The tables, the data set and the files are those of bench/src/Material.php.
 */
final class Pages
{
    private const TYPES = [
        'css' => 'text/css', 'js' => 'text/javascript', 'html' => 'text/html', 'json' => 'application/json', 'svg' => 'image/svg+xml',
        'webp' => 'image/webp', 'woff2' => 'font/woff2',
    ];

    private const ROWS = 10_000;

    /** @var list<array<string, mixed>> */
    private readonly array $items;

    /** @var array<int, array<string, mixed>> rows by id, for the test of a cache */
    private array $remembered = [];

    /** @param Closure(Closure(Connection): mixed): mixed $lend calls with a connection that is nobody else's meanwhile */
    public function __construct(private readonly Closure $lend)
    {
        $file = (string) getenv('DATASET');
        $this->items = $file === '' ? [] : json_decode((string) file_get_contents($file), true);
    }

    /** Once for each process that keeps objects between requests. */
    public function remember(): void
    {
        $this->remembered = array_column(($this->lend)(static fn (Connection $it): array => $it->rows('SELECT id, randomnumber AS "randomNumber" FROM world')), null, 'id');
    }

    /**
     * @param array<array-key, mixed> $query
     * @param string|null             $sent  the body of the request; null: it is in php://input
     *
     * @return array{?string, string, int} content type (null: the server's own), body, status
     */
    public function answer(string $path, array $query, ?string $sent = ''): array
    {
        return match ($path) {
            '/hello' => [null, "Hello, world!\n", 200],
            '/sleep' => self::sleep(self::number($query, 'ms', 1000)),
            '/work' => self::work(self::number($query, 'ms', 10)),
            '/compute' => self::compute(self::number($query, 'rounds', 25)),
            '/plaintext' => ['text/plain', 'Hello, World!', 200],
            '/json' => self::json(['message' => 'Hello, World!']),
            '/db' => self::json(($this->lend)(static fn (Connection $it): array => self::world($it, random_int(1, self::ROWS)))),
            '/queries' => self::json($this->queries(self::count($query, 'queries'))),
            '/updates' => self::json($this->updates(self::count($query, 'queries'))),
            '/cached-queries' => self::json(array_map(fn (): array => $this->remembered[random_int(1, self::ROWS)], range(1, self::count($query, 'count')))),
            '/fortunes' => ['text/html; charset=utf-8', $this->fortunes(), 200],
            '/baseline11' => ['text/plain', (string) (array_sum($query) + (int) ($sent ?? file_get_contents('php://input'))), 200],
            '/upload' => ['text/plain', (string) ($sent === null ? self::countInput() : strlen($sent)), 200],
            '/api' => self::json($this->api(self::number($query, 'id', 1))),
            '/async-db' => self::json($this->find(self::number($query, 'min', 10), self::number($query, 'max', 50), self::number($query, 'limit', 50))),
            default => match (true) {
                str_starts_with($path, '/json/') => self::json($this->first((int) substr($path, 6), self::number($query, 'm', 1))),
                str_starts_with($path, '/static/') => self::content($path),
                default => self::missing(),
            },
        };
    }

    /** @return array{string, string}|null content type, and where it is; null: no such file */
    public static function file(string $path): ?array
    {
        $file = getenv('STATIC_FILES') . '/' . basename($path);

        return is_file($file) ? [self::TYPES[pathinfo($file, PATHINFO_EXTENSION)] ?? 'application/octet-stream', $file] : null;
    }

    /** @return array{string, string, int} */
    public static function missing(): array
    {
        return ['text/plain', "Not found\n", 404];
    }

    /** @return array{string, string, int} */
    private static function content(string $path): array
    {
        [$type, $file] = self::file($path) ?? [null, null];

        return $file === null ? self::missing() : [$type, (string) file_get_contents($file), 200];
    }

    /** @return array{string, string, int} */
    private static function json(mixed $value): array
    {
        return ['application/json', json_encode($value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES), 200];
    }

    /** @return array{null, string, int} */
    private static function sleep(int $ms): array
    {
        usleep(1000 * $ms);

        return [null, "slept\n", 200];
    }

    /** @return array{null, string, int} */
    private static function compute(int $rounds): array
    {
        for ($text = 'x'; $rounds > 0; $rounds--) {
            for ($i = 0; $i < 130; $i++) {
                $text = md5($text);
            }
        }

        return [null, "computed\n", 200];
    }

    /** @return array{null, string, int} */
    private static function work(int $ms): array
    {
        // CPU time, not time on the clock: others on the machine must not shorten the work.
        $cpu = static function (): int {
            $used = getrusage() ?: [];

            return ($used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec']) * 1_000_000 + $used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec'];
        };
        $end = $cpu() + 1000 * $ms;
        for ($text = 'x'; $cpu() < $end;) {
            for ($i = 0; $i < 20; $i++) {
                $text = md5($text);
            }
        }

        return [null, "worked\n", 200];
    }

    /** @param array<array-key, mixed> $query */
    private static function number(array $query, string $name, int $default): int
    {
        return is_numeric($query[$name] ?? null) ? (int) $query[$name] : $default;
    }

    /** @param array<array-key, mixed> $query */
    private static function count(array $query, string $name): int
    {
        return max(1, min(500, self::number($query, $name, 1)));
    }

    /** @return array<string, mixed> */
    private static function world(Connection $it, int $id): array
    {
        return $it->rows('SELECT id, randomnumber AS "randomNumber" FROM world WHERE id = ?', [$id])[0];
    }

    /** @return list<array<string, mixed>> */
    private function queries(int $count): array
    {
        return ($this->lend)(static fn (Connection $it): array => array_map(static fn (): array => self::world($it, random_int(1, self::ROWS)), range(1, $count)));
    }

    /** @return list<array<string, mixed>> each row read by a query of its own, and all written by one */
    private function updates(int $count): array
    {
        for ($ids = []; count($ids) < $count;) {
            $ids[random_int(1, self::ROWS)] = true;
        }
        // In one order for all requests, or they would wait for each other's rows in a circle.
        ksort($ids);

        return ($this->lend)(static function (Connection $it) use ($ids): array {
            $rows = array_map(static fn (int $id): array => ['randomNumber' => random_int(1, self::ROWS)] + self::world($it, $id), array_keys($ids));
            $it->rows(
                'UPDATE world SET randomnumber = new.number FROM unnest(?::int[], ?::int[]) AS new (id, number) WHERE world.id = new.id',
                ['{' . implode(',', array_column($rows, 'id')) . '}', '{' . implode(',', array_column($rows, 'randomNumber')) . '}'],
            );

            return $rows;
        });
    }

    private function fortunes(): string
    {
        $messages = array_column(($this->lend)(static fn (Connection $it): array => $it->rows('SELECT id, message FROM fortune')), 'message', 'id');
        $messages[0] = 'Additional fortune added at request time.';
        asort($messages, SORT_STRING);
        $rows = '';
        foreach ($messages as $id => $message) {
            $rows .= "<tr><td>$id</td><td>" . htmlspecialchars($message) . '</td></tr>';
        }

        return "<!DOCTYPE html><html><head><title>Fortunes</title></head><body><table><tr><th>id</th><th>message</th></tr>$rows</table></body></html>";
    }

    /** @return array{items: list<array<string, mixed>>, count: int} */
    private function first(int $count, int $times): array
    {
        $items = array_map(
            static fn (array $item): array => $item + ['total' => $item['price'] * $item['quantity'] * $times],
            array_slice($this->items, 0, max(0, $count)),
        );

        return ['items' => $items, 'count' => count($items)];
    }

    /** @return array{items: list<array<string, mixed>>, count: int} */
    private function find(int $min, int $max, int $limit): array
    {
        $sql = 'SELECT id, name, category, price, quantity, active, tags, rating_score, rating_count FROM items WHERE price BETWEEN ? AND ? LIMIT ?';
        $rows = ($this->lend)(static fn (Connection $it): array => $it->rows($sql, [$min, $max, max(1, min(50, $limit))]));
        $items = array_map(static fn (array $row): array => [
            'id' => $row['id'], 'name' => $row['name'], 'category' => $row['category'], 'price' => $row['price'], 'quantity' => $row['quantity'],
            'active' => (bool) $row['active'], 'tags' => json_decode($row['tags'], true), 'rating' => ['score' => $row['rating_score'], 'count' => $row['rating_count']],
        ], $rows);

        return ['items' => $items, 'count' => count($items)];
    }

    /** @return array<string, mixed> what three queries, the cache and a file say of an article */
    private function api(int $id): array
    {
        [$row, $near] = ($this->lend)(static function (Connection $it) use ($id): array {
            $row = self::world($it, $id);
            $it->rows('UPDATE world SET randomnumber = randomnumber WHERE id = ?', [$id]);

            return [$row, $it->rows('SELECT id FROM world WHERE id BETWEEN ? AND ? ORDER BY id', [$id, $id + 9])];
        });
        $redis = new Redis();
        // A child of PHP-FPM serves one request at a time, so it may keep its connection.
        $redis->{PHP_SAPI === 'fpm-fcgi' ? 'pconnect' : 'connect'}('127.0.0.1', (int) getenv('REDIS_PORT'));
        $title = $redis->get("title:$id");
        if ($title === false) {
            $redis->setex("title:$id", 60, $title = "Article $id");
        }

        return $row + ['near' => array_column($near, 'id'), 'title' => $title, 'style' => strlen((string) file_get_contents(getenv('STATIC_FILES') . '/base.css'))];
    }

    private static function countInput(): int
    {
        $input = fopen('php://input', 'r');
        for ($bytes = 0; !feof($input);) {
            $bytes += strlen((string) fread($input, 65_536));
        }

        return $bytes;
    }
}
