<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Http;
use Weft\Bench\Load;
use Weft\Bench\Page;
use Weft\Bench\Row;
use Weft\Bench\Server;

/** How evenly clients are served that all ask for as much as they get. */
final class Fair extends Bare
{
    public const TITLE = 'Fair shares';
    public const ABOUT = 'Kept connections, each of which asks again as soon as it has its answer, for pages that compute for some ms and for one that waits: one worker '
        . '(PHP-FPM: one child) for each processor. Where all clients wait all the time, a fair server gives each the same, and P99 is near P50. What a page '
        . 'computes is the same work everywhere, some ms of CPU time.';
    public const BASELINE = 'fpm';
    public const ARMS = ['weft', 'swoole', 'fpm'];
    public const WORKLOADS = ['hello', '2 ms', '20 ms', '60 ms', 'waits'];

    /** Rounds of /compute that take a millisecond or so. */
    private const ROUNDS_A_MS = 25;

    /** The client with the fewest answers gets so much of what the one with the most gets. */
    private const LEAST_OF_MOST = 0.5;
    private const P99_OF_P50 = 1.5;

    public function loads(): array
    {
        $page = static fn (int $ms): Page => new Page('/compute?rounds=' . $ms * self::ROUNDS_A_MS, 'computed');
        $work = static fn (int $ms, int ...$connections): Load => new Load("$ms ms", [$page($ms)], array_values($connections));

        return [
            new Load('hello', [new Page('/hello', 'Hello, world!')], [8, 64, 512]),
            $work(2, 8, 64, 512),
            $work(20, 8, 64, 256),
            $work(60, 8, 64),
            new Load('waits', [new Page('/sleep?ms=20', 'slept')], [64, 512]),
        ];
    }

    protected function wrong(string $arm, Server $server, Load $load): array
    {
        $page = $load->pages[0];

        return str_contains(Http::answer($server->port, $page->path)->body, $page->needle) ? [] : ["$page->path has no \"$page->needle\""];
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
            $row->target('p99', 'value', self::P99_OF_P50 * ($row->median('p50') ?? 0.0));
        }
    }
}
