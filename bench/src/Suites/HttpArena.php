<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Load;
use Weft\Bench\Material;
use Weft\Bench\Page;
use Weft\Bench\Rules;
use Weft\Bench\Server;

/** Profiles of HttpArena, by its rules. */
final class HttpArena extends Bare
{
    public const TITLE = 'HttpArena';
    public const ABOUT = 'Profiles of HttpArena, and one whose requests wait for 10 to 30 ms. At most 4 workers and one for each core (PHP-FPM: 32 children), 64 '
        . 'connections to the database for each; its rules are checked before the load. HttpArena itself has 64 processors, and 4,096 connections where there '
        . 'are 512 here.';
    public const WORKLOADS = ['baseline', 'json', 'async-db', 'api-4', 'upload', 'static', 'async'];

    private const WORKERS = 4;
    private const CHILDREN = 32;

    /** Items asked for, and what the totals are multiplied with. */
    private const JSON = [[1, 3], [5, 7], [10, 2], [15, 5], [25, 4], [40, 8], [50, 6]];

    private const LIMITS = [5, 10, 20, 35, 50];
    private const UPLOADS = [500_000, 2 << 20, 10 << 20, 20 << 20];
    private const WAITS = [10, 15, 20, 25, 30];

    public function loads(): array
    {
        $sum = '/baseline11?a=13&b=42';
        $few = $this->bench->cores < self::WORKERS ? [sprintf('it asks for %d processors, here are %d', self::WORKERS, $this->bench->cores)] : [];
        $plain = new Page($sum, '=55');
        $rows = static fn (int $limit): Page => new Page("/async-db?min=10&max=50&limit=$limit", "],\"count\":$limit}", 1);
        $files = array_keys(Material::contents());

        return [
            new Load('baseline', [$plain, new Page($sum, '=75', sends: 'length:20'), new Page($sum, '=75', sends: 'chunks:20')], [512]),
            new Load('json', array_map(self::items(...), self::JSON), [512], perConnection: 25),
            new Load('async-db', array_map($rows, self::LIMITS), [1024], perConnection: 25),
            new Load('api-4', [$plain, $plain, $plain, $all = self::items([50, 6]), $all, $all, $rows(50), $rows(50)], [256], perConnection: 5, marks: $few),
            new Load('upload', array_map(static fn (int $bytes): Page => new Page('/upload', "=$bytes", sends: "bytes:$bytes"), self::UPLOADS), [32], perConnection: 5),
            // Each file ends with its name.
            new Load('static', array_map(static fn (string $name): Page => new Page("/static/$name", $name), $files), [1024], perConnection: 200, arms: self::ARMS),
            new Load('async', array_map(static fn (int $ms): Page => new Page("/sleep?ms=$ms", 'slept'), self::WAITS), [1024]),
        ];
    }

    protected function wrong(string $arm, Server $server, Load $load): array
    {
        return Rules\HttpArena::check($load->name, $server->port);
    }

    protected function workers(): int
    {
        return min(self::WORKERS, $this->bench->cores);
    }

    protected function children(): int
    {
        return self::CHILDREN;
    }

    /** @param array{int, int} $asked */
    private static function items(array $asked): Page
    {
        [$count, $times] = $asked;
        $last = Material::items()[$count - 1];

        return new Page("/json/$count?m=$times", sprintf('"total":%d}],"count":%d}', $last['price'] * $last['quantity'] * $times, $count));
    }
}
