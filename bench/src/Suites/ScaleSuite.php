<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Arm;
use Weft\Bench\Bench;
use Weft\Bench\Crowd;
use Weft\Bench\Load;
use Weft\Bench\Process;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Suite;

/** Very many connections and requests, and one that computes for long beside many short ones. */
final class ScaleSuite implements Suite
{
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
    private const START_SECONDS = 2.0;

    /** Longer than bench/tools/hold.c tries. */
    private const READY_SECONDS = 130.0;

    /** A slow machine opens the last connection when the first has rested for long. */
    private const NEVER_IDLE_TOO_LONG = ['-d', 'weft.http_idle_timeout_ms=600000'];

    private const HELLO = ['/hello', 'Hello, world!'];

    private ?Runner $runner = null;

    public function __construct(private readonly Bench $bench)
    {
    }

    public function name(): string
    {
        return 'scale';
    }

    public function title(): string
    {
        return 'Scale';
    }

    public function about(): string
    {
        return 'Pages without a framework and one worker, or as many as it takes to hold the connections: memory of idle connections and of sleeping requests, throughput by requests at once, and short requests beside one that computes.';
    }

    public function baseline(): string
    {
        return 'swoole';
    }

    public function arms(): array
    {
        return ['weft', 'swoole'];
    }

    public function workloads(): array
    {
        return ['idle connections', 'sleeping requests', 'at once', 'short beside long'];
    }

    public function rounds(): int
    {
        return 1;
    }

    public function seconds(): float
    {
        $connecting = array_sum($this->of(self::IDLE, self::IDLE_QUICK)) / 5000;
        $each = 6 * self::START_SECONDS + $connecting + $this->sleepMs() / 1000 + 3
            + (count($this->of(self::AT_ONCE, self::AT_ONCE_QUICK)) + 2) * (1.4 * $this->bench->options->duration + 0.5);

        return count($this->bench->arms($this->arms(), 1)) * $each;
    }

    public function prepare(): void
    {
        $this->runner = new Runner($this->bench, $this->name(), 0.0);
    }

    public function round(int $number): void
    {
        foreach ($this->bench->arms($this->arms(), $number) as $arm) {
            foreach ($this->idleCounts() as $workers => $counts) {
                $this->part($arm, $workers, 'idle connections', fn (Server $server) => $this->idle($arm, $workers, $server, $counts), self::NEVER_IDLE_TOO_LONG);
            }
            $this->part($arm, 1, 'sleeping requests', fn (Server $server) => $this->sleeping($arm, $server));
            $this->part($arm, 1, 'at once', fn (Server $server) => $this->atOnce($arm, $server));
            $this->part($arm, 1, 'short beside long', fn (Server $server) => $this->besideLong($arm, $server));
        }
    }

    public function finish(): void
    {
    }

    /**
     * @param \Closure(Server): void $measure
     * @param list<string>           $weft    options of bin/weft serve
     */
    private function part(Arm $arm, int $workers, string $workload, \Closure $measure, array $weft = []): void
    {
        if (!$this->bench->options->wants($workload)) {
            return;
        }
        $this->bench->console->say("scale: {$arm->title()}, $workload");
        $weft[] = '--concurrency=' . (2 * self::SLEEPING);
        $this->runner?->with($arm, $workers, $weft, fn (Server $server) => $this->runner?->try($arm->name(), $workload, $server, static fn () => $measure($server)), $this->application());
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
    private function idle(Arm $arm, int $workers, Server $server, array $counts): void
    {
        $wanted = max($this->of(self::IDLE, self::IDLE_QUICK));
        foreach ($counts as $count) {
            $less = $count < $wanted && $count === Crowd::most($this->descriptors());
            $marks = $less ? [sprintf('%s do not fit: a process may have %d descriptors here', number_format($wanted), $this->descriptors())] : [];
            $this->runner?->try($arm->name(), "$count idle connections", $server, function () use ($arm, $workers, $server, $count, $marks): void {
                $before = $server->processes()->memoryOfAll();
                $this->hold($server, $count, '/hello', 'idle', function (Crowd $crowd) use ($arm, $workers, $server, $count, $marks, $before): void {
                    $ready = $crowd->await('ready', self::READY_SECONDS);
                    $after = $server->processes()->memoryOfAll();
                    $refused = (int) $ready['failed'];
                    if ($refused > 0) {
                        $marks[] = sprintf('%s connections were not taken', number_format($refused));
                    }
                    $sample = Sample::take($this->bench->workspace, $server, Load::closed(self::HELLO[0], self::HELLO[1], 32, $this->bench->options->duration));
                    $this->runner?->add($arm->name(), 'idle connections', ['workers' => $workers, 'idle' => $count], $sample->with([
                        'memory_each' => ($after['Pss'] - $before['Pss']) / 1024 / max(1, $count - $refused),
                        'failed' => $ready['failed'], 'opening' => 1000 * $ready['seconds'],
                    ], $marks));
                });
            });
        }
    }

    private function sleeping(Arm $arm, Server $server): void
    {
        $count = min($this->bench->options->quick() ? self::SLEEPING_QUICK : self::SLEEPING, Crowd::most($this->descriptors()));
        $before = $server->processes()->memoryOfAll();
        $this->hold($server, $count, '/sleep?ms=' . $this->sleepMs(), 'sleeping', function (Crowd $crowd) use ($arm, $server, $count, $before): void {
            $crowd->await('ready', self::READY_SECONDS);
            // What is sent is not yet asleep.
            usleep(1_500_000);
            $after = $server->processes()->memoryOfAll();
            $done = $crowd->await('done', $this->sleepMs() / 1000 + 20.0);
            $this->bench->result->add('scale', $arm->name(), 'sleeping requests', ['workers' => 1, 'concurrency' => $count, 'sleep_ms' => $this->sleepMs()], [
                'memory_each' => ($after['Pss'] - $before['Pss']) / 1024 / $count,
                'failed' => $done['failed'], 'beyond_sleep' => 1000 * $done['seconds'] - $this->sleepMs(),
            ]);
        });
    }

    private function atOnce(Arm $arm, Server $server): void
    {
        foreach ($this->of(self::AT_ONCE, self::AT_ONCE_QUICK) as $count) {
            $this->runner?->try($arm->name(), "$count at once", $server, function () use ($arm, $server, $count): void {
                $this->runner?->compareBodies($arm->name(), $server, self::HELLO[0], 'plain');
                $sample = Sample::take($this->bench->workspace, $server, Load::closed(self::HELLO[0], self::HELLO[1], $count, $this->bench->options->duration));
                $this->runner?->add($arm->name(), 'at once', ['workers' => 1, 'load' => 'closed', 'concurrency' => $count], $sample);
            });
        }
    }

    /** Short requests at constant arrival, alone and while one request after the other computes. */
    private function besideLong(Arm $arm, Server $server): void
    {
        foreach ([false, true] as $beside) {
            $long = null;
            if ($beside) {
                $script = $this->bench->workspace->write('long.tsv', "1\t/work?ms=" . self::LONG_MS . "\tworked\n");
                $command = [$this->bench->workspace->compiled('load'), (string) $server->port(), '60', '1', '0', $script];
                $long = Process::start('long requests', $command, $this->bench->workspace->log('long'));
                usleep(200_000);
            }
            try {
                $load = Load::open([[1, self::HELLO[0], self::HELLO[1]]], self::SHORT_A_SECOND, 1000, max(2.0, $this->bench->options->duration));
                $sample = Sample::take($this->bench->workspace, $server, $load);
                $this->runner?->add($arm->name(), 'short beside long', ['workers' => 1, 'load' => 'open', 'rate' => self::SHORT_A_SECOND,
                    'long_ms' => $beside ? self::LONG_MS : 0], $sample);
            } finally {
                $long?->stop();
            }
        }
    }

    /**
     * @param 'idle'|'sleeping'       $mode
     * @param \Closure(Crowd): void $measure while the connections stay
     */
    private function hold(Server $server, int $count, string $path, string $mode, \Closure $measure): void
    {
        $crowd = Crowd::start($this->bench->workspace, $server->port(), $count, $path, $mode, $this->descriptors());
        try {
            $measure($crowd);
        } finally {
            $crowd->stop();
        }
    }

    private function descriptors(): int
    {
        $soft = posix_getrlimit()['soft openfiles'] ?? 0;

        return is_numeric($soft) ? (int) $soft : PHP_INT_MAX;
    }

    private function application(): string
    {
        return "{$this->bench->workspace->root}/bench/serve/plain.php";
    }

    private function sleepMs(): int
    {
        return $this->bench->options->quick() ? self::SLEEP_MS_QUICK : self::SLEEP_MS;
    }

    /**
     * @param non-empty-list<int> $full
     * @param non-empty-list<int> $quick
     *
     * @return non-empty-list<int>
     */
    private function of(array $full, array $quick): array
    {
        return $this->bench->options->quick() ? $quick : $full;
    }
}
