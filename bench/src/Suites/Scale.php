<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Crowd;
use Weft\Bench\Page;
use Weft\Bench\Program;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Site;
use Weft\Bench\Suite;

/** Very many connections and requests, and one that computes for long beside many short ones. */
final class Scale extends Suite
{
    public const TITLE = 'Scale';
    public const ABOUT = 'Pages without a framework and one worker, or as many as it takes to hold the connections: memory of idle connections and of '
        . 'sleeping requests, throughput by requests at once, and short requests beside one that computes. '
        . 'nginx serves a file, to say how near that comes to what is possible.';
    public const BASELINE = 'swoole';
    public const ARMS = ['weft', 'swoole', 'nginx'];
    public const WORKLOADS = ['idle connections', 'sleeping requests', 'at once', 'short beside long'];

    private const IDLE = [1_000, 10_000, 50_000];
    private const IDLE_QUICK = [1_000, 10_000];
    private const SLEEPING = 10_000;
    private const SLEEPING_QUICK = 1_000;
    private const AT_ONCE = [1, 4, 16, 64, 256, 1_000];
    private const AT_ONCE_QUICK = [1, 256];

    /** All must be asleep before the first wakes. */
    private const SLEEP_MS = 20_000;
    private const SLEEP_MS_QUICK = 4_000;

    private const SHORT_A_SECOND = 200;
    private const LONG_MS = 300;

    /** Longer than bench/tools/hold.c tries. */
    private const READY_SECONDS = 130.0;

    /** A slow machine opens the last connection when the first has rested for long. */
    private const NEVER_IDLE_TOO_LONG = ['-d', 'weft.http_idle_timeout_ms=600000'];

    public function round(int $number): void
    {
        foreach ($this->arms($number) as $arm) {
            foreach ($arm === 'nginx' ? [] : $this->idleCounts() as $workers => $counts) {
                $this->part($arm, $workers, 'idle connections', fn (Server $server) => $this->idle($arm, $workers, $server, $counts), self::NEVER_IDLE_TOO_LONG);
            }
            $this->part($arm, 1, 'sleeping requests', fn (Server $server) => $this->sleeping($arm, $server));
            $this->part($arm, 1, 'at once', fn (Server $server) => $this->atOnce($arm, $server));
            $this->part($arm, 1, 'short beside long', fn (Server $server) => $this->besideLong($arm, $server));
        }
    }

    /**
     * @param \Closure(Server): void $measure
     * @param list<string>           $weft    options of bin/weft serve
     */
    private function part(string $arm, int $workers, string $workload, \Closure $measure, array $weft = []): void
    {
        if ($this->bench->options->wants($workload) && ($arm !== 'nginx' || $workload === 'at once')) {
            $site = new Site("{$this->bench->workspace->root}/bench/serve/plain.php", Site::php($this->bench->workspace, $this->bench->options->jit));
            $this->serve($arm, $workers, $site, $measure, [...$weft, '--concurrency=' . (2 * self::SLEEPING)]);
        }
    }

    /** @return array<int, list<int>> numbers of connections by the workers that it takes to hold them */
    private function idleCounts(): array
    {
        $counts = [];
        $most = Crowd::most($this->descriptors());
        foreach (array_unique(array_map(static fn (int $count): int => min($count, $most), $this->of(self::IDLE, self::IDLE_QUICK))) as $count) {
            $counts[Crowd::workersFor($count, $this->descriptors()) ?? 1][] = $count;
        }

        return $counts;
    }

    /** @param list<int> $counts */
    private function idle(string $arm, int $workers, Server $server, array $counts): void
    {
        $wanted = max($this->of(self::IDLE, self::IDLE_QUICK));
        foreach ($counts as $count) {
            $marks = $count < $wanted && $count === Crowd::most($this->descriptors())
                ? [sprintf('%s do not fit: a process may have %d descriptors here', number_format($wanted), $this->descriptors())] : [];
            $this->attempt($arm, "$count idle connections", fn () => $this->hold($server, $count, '/hello', 'idle', function (Crowd $crowd, float $before) use (
                $arm,
                $workers,
                $server,
                $count,
                $marks,
            ): void {
                $ready = $crowd->await('ready', self::READY_SECONDS);
                $after = $server->processes()->pss();
                if ($ready['failed'] > 0) {
                    $marks[] = number_format($ready['failed']) . ' connections were not taken';
                }
                $this->add($arm, 'idle connections', ['workers' => $workers, 'idle' => $count], $this->hello($server, 32)->with([
                    'memory_each' => 1024 * ($after - $before) / max(1, $count - $ready['failed']),
                    'failed' => $ready['failed'], 'opening' => 1000 * $ready['seconds'],
                ], $marks));
            }));
        }
    }

    private function sleeping(string $arm, Server $server): void
    {
        $count = min($this->of(self::SLEEPING, self::SLEEPING_QUICK), Crowd::most($this->descriptors()));
        $ms = $this->of(self::SLEEP_MS, self::SLEEP_MS_QUICK);
        $this->hold($server, $count, "/sleep?ms=$ms", 'sleeping', function (Crowd $crowd, float $before) use ($arm, $server, $count, $ms): void {
            $crowd->await('ready', self::READY_SECONDS);
            // What is sent is not yet asleep.
            usleep(1_500_000);
            $after = $server->processes()->pss();
            $done = $crowd->await('done', $ms / 1000 + 20.0);
            $this->add($arm, 'sleeping requests', ['workers' => 1, 'concurrency' => $count, 'sleep_ms' => $ms], Sample::measured([
                'memory_each' => 1024 * ($after - $before) / $count, 'failed' => $done['failed'], 'beyond_sleep' => 1000 * $done['seconds'] - $ms,
            ]));
        });
    }

    private function atOnce(string $arm, Server $server): void
    {
        foreach ($this->of(self::AT_ONCE, self::AT_ONCE_QUICK) as $count) {
            $this->attempt($arm, "$count at once", function () use ($arm, $server, $count): void {
                $this->compareBodies($arm, $server, '/hello', 'plain');
                $this->add($arm, 'at once', ['workers' => 1, 'load' => 'closed', 'concurrency' => $count], $this->hello($server, $count));
            });
        }
    }

    /** Short requests at constant arrival, alone and while one request after the other computes. */
    private function besideLong(string $arm, Server $server): void
    {
        $workspace = $this->bench->workspace;
        foreach ([0, self::LONG_MS] as $ms) {
            $long = null;
            if ($ms > 0) {
                $script = $workspace->write('long.tsv', (new Page("/work?ms=$ms", 'worked'))->line());
                $long = Program::start('long requests', [$workspace->compiled('load'), (string) $server->port, '60', '1', '0', $script], $workspace->log('long'));
                usleep(200_000);
            }
            try {
                $seconds = max(2.0, $this->bench->options->get('duration'));
                $sample = Sample::open($workspace, $server, (new Page('/hello', 'Hello, world!'))->line(), 1000, self::SHORT_A_SECOND, $seconds);
                $this->add($arm, 'short beside long', ['workers' => 1, 'load' => 'open', 'rate' => self::SHORT_A_SECOND, 'long_ms' => $ms], $sample);
            } finally {
                $long?->stop();
            }
        }
    }

    private function hello(Server $server, int $connections): Sample
    {
        return Sample::closed($this->bench->workspace, $server, new Page('/hello', 'Hello, world!'), $connections, $this->bench->options->get('duration'));
    }

    /**
     * @param 'idle'|'sleeping'            $mode
     * @param \Closure(Crowd, float): void $measure while the connections stay; told the memory before they came
     */
    private function hold(Server $server, int $count, string $path, string $mode, \Closure $measure): void
    {
        $before = $server->processes()->pss();
        $crowd = Crowd::start($this->bench->workspace, $server->port, $count, $path, $mode, $this->descriptors());
        try {
            $measure($crowd, $before);
        } finally {
            $crowd->stop();
        }
    }

    private function descriptors(): int
    {
        $soft = posix_getrlimit()['soft openfiles'] ?? 0;

        return is_numeric($soft) ? (int) $soft : PHP_INT_MAX;
    }
}
