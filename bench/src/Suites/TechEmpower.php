<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Load;
use Weft\Bench\Material;
use Weft\Bench\Page;
use Weft\Bench\Rules;
use Weft\Bench\Server;

/** TechEmpower's seven tests, by its rules. */
final class TechEmpower extends Bare
{
    public const TITLE = 'TechEmpower';
    public const ABOUT = 'The seven tests of TechEmpower\'s framework benchmarks with 512 connections, a worker for each core (PHP-FPM: 32 children), and 64 connections to '
        . 'the database for each. Its rules are checked before the load. Requests are not pipelined, which its plain text is.';
    public const ARMS = ['weft', 'swoole', 'workerman', 'fpm'];
    public const WORKLOADS = ['plaintext', 'json', 'db', 'queries', 'fortunes', 'updates', 'cached queries'];

    private const CHILDREN = 32;
    private const CONNECTIONS = [512];

    /** @var array<int, list<string>> what is wrong, by the server's port, for as long as it is up */
    private array $wrong = [];

    public function round(int $number): void
    {
        $this->wrong = [];
        parent::round($number);
    }

    public function loads(): array
    {
        $last = array_values(Material::fortunes())[count(Material::fortunes()) - 1];
        $pages = [
            'plaintext' => new Page('/plaintext', '=Hello, World!'), 'json' => new Page('/json', '={"message":"Hello, World!"}'),
            'db' => new Page('/db', '"randomNumber":', 1), 'queries' => new Page('/queries?queries=20', '"randomNumber":', 20),
            'fortunes' => new Page('/fortunes', "$last</td></tr></table></body></html>", 1), 'updates' => new Page('/updates?queries=20', '"randomNumber":', 21),
            'cached queries' => new Page('/cached-queries?count=100', '"randomNumber":'),
        ];

        return array_map(
            // PHP-FPM keeps nothing between requests.
            static fn (string $name, Page $page): Load => new Load($name, [$page], self::CONNECTIONS, arms: $name === 'cached queries' ? ['weft', 'swoole', 'workerman'] : []),
            array_keys($pages),
            $pages,
        );
    }

    /** All rules at once, before the first load. */
    protected function wrong(string $arm, Server $server, Load $load): array
    {
        return $this->wrong[$server->port] ??= Rules\TechEmpower::check($server->port, $this->port(false), $arm !== 'fpm');
    }

    protected function workers(): int
    {
        return $this->bench->cores;
    }

    protected function children(): int
    {
        return self::CHILDREN;
    }
}
