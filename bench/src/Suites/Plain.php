<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Http;
use Weft\Bench\Load;
use Weft\Bench\Page;
use Weft\Bench\Row;
use Weft\Bench\Rules\TechEmpower;
use Weft\Bench\Server;

/** What a server itself costs: a text, JSON, and ten queries one after the other. */
final class Plain extends Bare
{
    public const TITLE = 'Plain pages';
    public const ABOUT = 'Pages without a framework, one worker (PHP-FPM: one child): a text, JSON, and ten SELECTs of a row each, one after the other, with the database '
        . 'on this machine and behind the delay proxy. Weft takes PDO in a coroutine for each request, Swoole its own coroutines under PDO and a pool, Workerman and '
        . 'PHP-FPM block on one connection a worker. nginx serves a file. Up to 64 connections to the database for each.';
    public const WORKLOADS = ['hello', 'json', 'ten queries', 'ten queries, far'];

    /** What Weft is to reach, as a multiple of the baseline. */
    private const GOAL = 1.1;

    private const ROWS = 10;

    public function loads(): array
    {
        $queries = new Page('/queries?queries=' . self::ROWS, '"randomNumber":', self::ROWS);

        return [
            new Load('hello', [new Page('/hello', 'Hello, world!')], [64, 512], arms: self::ARMS),
            new Load('json', [new Page('/json', '={"message":"Hello, World!"}')], [64, 512]),
            new Load('ten queries', [$queries], [64, 512]),
            // With one statement under way a worker that blocks would need a minute to answer 512.
            new Load('ten queries, far', [$queries], [64], far: true),
        ];
    }

    protected function wrong(string $arm, Server $server, Load $load): array
    {
        $path = $load->pages[0]->path;
        if ($load->name === 'hello') {
            $this->compareBodies($arm, $server, $path, $this->name);

            return [];
        }
        $answer = Http::answer($server->port, $path);

        return $load->name === 'json' ? TechEmpower::json($answer) : TechEmpower::worlds($answer, self::ROWS);
    }

    protected function workers(): int
    {
        return 1;
    }

    protected function children(): int
    {
        return 1;
    }

    protected function judge(Row $row): void
    {
        if ($row->arm === 'weft') {
            $row->target('throughput', 'ratio', self::GOAL);
        }
    }
}
