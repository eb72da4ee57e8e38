<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Arm;
use Weft\Bench\Bench;
use Weft\Bench\Failure;
use Weft\Bench\Load;
use Weft\Bench\Process;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Suite;
use Weft\Bench\Value;

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

    /** What a server has open besides its clients. */
    private const OTHER_DESCRIPTORS = 500;

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
        return 'One worker and pages without a framework: memory of idle connections and of sleeping requests, throughput by requests at once, and short requests beside one that computes.';
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
        $each = 5 * self::START_SECONDS + $connecting + $this->sleepMs() / 1000 + 3
            + (count($this->of(self::AT_ONCE, self::AT_ONCE_QUICK)) + 2) * (1.4 * $this->bench->options->duration + 0.5);

        return count($this->bench->arms($this->arms(), 1)) * $each;
    }

    public function prepare(): void
    {
        $this->runner = new Runner($this->bench, $this->name(), 0.0);
    }

    public function round(int $number): void
    {
        $parts = [
            'idle connections' => $this->idle(...), 'sleeping requests' => $this->sleeping(...),
            'at once' => $this->atOnce(...), 'short beside long' => $this->besideLong(...),
        ];
        foreach ($this->bench->arms($this->arms(), $number) as $arm) {
            foreach ($parts as $workload => $part) {
                if (!$this->bench->options->wants($workload)) {
                    continue;
                }
                $this->bench->console->say("scale: {$arm->title()}, $workload");
                $weft = ['--concurrency=' . (2 * self::SLEEPING)];
                $this->runner?->with($arm, 1, $weft, fn (Server $server) => $this->runner?->try($arm->name(), $workload, $server, static fn () => $part($arm, $server)), $this->application());
            }
        }
    }

    public function finish(): void
    {
    }

    private function idle(Arm $arm, Server $server): void
    {
        $soft = posix_getrlimit()['soft openfiles'] ?? 0;
        $room = is_numeric($soft) ? (int) $soft - self::OTHER_DESCRIPTORS : PHP_INT_MAX;
        foreach ($this->of(self::IDLE, self::IDLE_QUICK) as $count) {
            if ($count > $room) {
                $this->bench->result->hole('scale', $arm->name(), "$count idle connections", sprintf('this machine allows a process %d descriptors; measured with %d instead', $room + self::OTHER_DESCRIPTORS, $room));
                $count = $room;
            }
            $this->runner?->try($arm->name(), "$count idle connections", $server, function () use ($arm, $server, $count): void {
                $before = $server->processes()->memoryOfAll();
                $this->hold($server, $count, '/hello', 'idle', function (array $ready) use ($arm, $server, $count, $before): void {
                    $after = $server->processes()->memoryOfAll();
                    $sample = Sample::take($this->bench->workspace, $server, Load::closed(self::HELLO[0], self::HELLO[1], 32, $this->bench->options->duration));
                    $this->runner?->add($arm->name(), 'idle connections', ['workers' => 1, 'idle' => $count], $sample->with([
                        'memory_each' => ($after['Pss'] - $before['Pss']) / 1024 / $count,
                        'failed' => Value::number($ready, 'failed'), 'time' => 1000 * Value::number($ready, 'seconds'),
                    ]));
                });
            });
        }
    }

    private function sleeping(Arm $arm, Server $server): void
    {
        $count = $this->bench->options->quick() ? self::SLEEPING_QUICK : self::SLEEPING;
        $before = $server->processes()->memoryOfAll();
        $this->hold($server, $count, '/sleep?ms=' . $this->sleepMs(), 'sleeping', function (array $ready, Process $hold) use ($arm, $server, $count, $before): void {
            // What is sent is not yet asleep.
            usleep(1_500_000);
            $after = $server->processes()->memoryOfAll();
            $done = self::line($hold, 'done', $this->sleepMs() / 1000 + 20.0);
            $late = 1000 * Value::number($done, 'seconds') - $this->sleepMs();
            $this->bench->result->add('scale', $arm->name(), 'sleeping requests', ['workers' => 1, 'concurrency' => $count, 'sleep_ms' => $this->sleepMs()], [
                'memory_each' => ($after['Pss'] - $before['Pss']) / 1024 / $count,
                'failed' => Value::number($done, 'failed'), 'time' => $late,
            ], null, ['time: from the first connection to the last answer, without the sleep itself']);
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

    /** @param \Closure(array<mixed>, Process): void $measure while the connections stay */
    private function hold(Server $server, int $count, string $path, string $mode, \Closure $measure): void
    {
        $command = [$this->bench->workspace->compiled('hold'), (string) $server->port(), (string) $count, $path, $mode];
        $hold = Process::start('hold', $command, $this->bench->workspace->log('hold'));
        try {
            $measure(self::line($hold, 'ready', 130.0), $hold);
        } finally {
            $hold->stop();
        }
    }

    /** @return array<mixed> */
    private static function line(Process $hold, string $what, float $seconds): array
    {
        $end = microtime(true) + $seconds;
        do {
            if (preg_match('/^\{"' . $what . '".*\}$/m', (string) file_get_contents($hold->log), $match) === 1) {
                return Value::decode($match[0]);
            }
            usleep(20_000);
        } while ($hold->isRunning() && microtime(true) < $end);
        throw new Failure("hold: not $what: " . Value::excerpt($hold->output()));
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
     * @param list<int> $full
     * @param list<int> $quick
     *
     * @return list<int>
     */
    private function of(array $full, array $quick): array
    {
        return $this->bench->options->quick() ? $quick : $full;
    }
}
