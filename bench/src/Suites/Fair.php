<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Http;
use Weft\Bench\Load;
use Weft\Bench\Page;
use Weft\Bench\Row;
use Weft\Bench\Server;

/** How evenly clients are served that all ask for as much as they get. */
class Fair extends Bare
{
    public const TITLE = 'Fair shares';
    public const ABOUT = 'Kept connections, each of which asks again as soon as it has its answer, for pages that compute for some ms and for one that waits: one worker '
        . '(PHP-FPM: one child) for each processor. They are opened at once, or 10 ms apart; HTTP/2 has one stream on each. Beside them new clients come, ask once and '
        . 'leave. Where all clients wait all the time, a fair server gives each the same, P99 is near P50, and who is new waits no longer. What a page '
        . 'computes is the same work everywhere, some ms of CPU time.';
    public const BASELINE = 'fpm';
    public const ARMS = ['weft', 'swoole', 'fpm'];
    public const WORKLOADS = ['hello', '2 ms', '20 ms', '60 ms', 'waits'];

    /** Milliseconds between connections that are opened one after the other. */
    private const APART = 10;

    /** @var list<array{string, int, string, list<int>}> protocol, gap, page and clients of a run that names no clients: what it shows, without all that could be combined */
    private const CELLS = [
        ['http', 0, 'hello', [8, 512]], ['http', 0, '2 ms', [64, 512]], ['http', 0, '20 ms', [64]], ['http', 0, '60 ms', [16]], ['http', 0, 'waits', [512]],
        ['http', self::APART, 'hello', [64]], ['http', self::APART, '2 ms', [16, 64, 512]], ['http', self::APART, '20 ms', [64]], ['http', self::APART, 'waits', [64]],
        ['https', 0, '2 ms', [64]], ['https', self::APART, 'hello', [64]], ['https', self::APART, '20 ms', [32]],
        ['h2', 0, '2 ms', [64]], ['h2', self::APART, 'hello', [64]], ['h2', self::APART, '20 ms', [32]],
    ];

    /** Answers that a client should have had before they are compared. */
    protected const ROUNDS = 6;

    /** Rounds of /compute that take a millisecond or so. */
    private const ROUNDS_A_MS = 60;

    /** New clients take so many ms of CPU a second, or there are so many of them a second, whichever is less. */
    private const NEWCOMERS_MS = 100;
    private const NEWCOMERS = 20;

    /** The client with the fewest answers gets so much of what the one with the most gets. */
    private const LEAST_OF_MOST = 0.5;
    private const P99_OF_P50 = 1.5;

    public function loads(): array
    {
        $cells = self::CELLS;
        $clients = $this->bench->options->list('clients', []);
        if ($clients !== []) {
            $cells = [];
            foreach (array_keys(Load::PROTOCOLS) as $protocol) {
                foreach ([0, self::APART] as $gap) {
                    foreach (self::WORKLOADS as $page) {
                        $cells[] = [$protocol, $gap, $page, $clients];
                    }
                }
            }
        }

        return array_map(static fn (array $cell): Load => self::cell(...$cell), $cells);
    }

    protected static function compute(int $ms): Page
    {
        return new Page('/compute?rounds=' . $ms * self::ROUNDS_A_MS, 'computed');
    }

    protected function given(Load $load): array
    {
        return ['protocol' => Load::PROTOCOLS[$load->protocol], 'opened' => $load->gapMs > 0 ? "$load->gapMs ms apart" : 'at once'];
    }

    protected function wrong(string $arm, Server $server, Load $load): array
    {
        $page = $load->pages[0];

        return str_contains(Http::answer($server->port, $page->path, listens: $server->listens)->body, $page->needle) ? [] : ["$page->path has no \"$page->needle\""];
    }

    protected function workers(): int
    {
        return $this->bench->cores;
    }

    protected function children(): int
    {
        return $this->bench->cores;
    }

    /** Refusals as by default: this is no flood. */
    protected function directives(): array
    {
        return ['-d', 'weft.http_access_log=0'];
    }

    protected function judge(Row $row): void
    {
        if ($row->arm === 'weft') {
            $row->target('client_least', 'value', self::LEAST_OF_MOST * ($row->median('client_most') ?? 0.0));
            foreach (['p99', 'newcomers_p99'] as $metric) {
                $row->target($metric, 'value', self::P99_OF_P50 * ($row->median('p50') ?? 0.0));
            }
        }
    }

    /** @param list<int> $clients */
    private static function cell(string $protocol, int $gap, string $name, array $clients): Load
    {
        $ms = (int) $name;
        $page = match ($name) {
            'hello' => new Page('/hello', 'Hello, world!'),
            'waits' => new Page('/sleep?ms=20', 'slept'),
            default => self::compute($ms),
        };
        $newcomers = min(self::NEWCOMERS, self::NEWCOMERS_MS / max(1, $ms));

        return new Load($name, [$page], $clients, protocol: $protocol, gapMs: $gap, newcomers: $newcomers, rounds: self::ROUNDS);
    }
}
