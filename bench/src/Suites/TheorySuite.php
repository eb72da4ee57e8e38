<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Bench;
use Weft\Bench\Load;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Suite;

/** N = 1 + T_io / T_cpu: what it predicts, and what happens, over the database's distance and the CPU time of a request. */
final class TheorySuite implements Suite
{
    private const WORKLOAD = '/load/work';
    private const LATENCIES = [0.0, 0.5, 1.0, 2.0, 5.0, 20.0];
    private const LATENCIES_QUICK = [0.0, 5.0];

    /** Microseconds of work besides what Laravel itself takes. */
    private const WORK = [0, 5000, 20000];
    private const WORK_QUICK = [0];

    private const QUERIES = 4;
    private const START_SECONDS = 2.0;

    /** At peak, so many times the predicted optimum are under way. */
    private const AT_ONCE_OF_OPTIMUM = 2.0;

    /** A gain below this is none. */
    private const NO_GAIN = 1.1;

    /** Weft's pool must not be what limits; a database that has to feed more connections than this would be instead. */
    private const POOL = 64;

    public function __construct(private readonly Bench $bench)
    {
    }

    public function name(): string
    {
        return 'theory';
    }

    public function title(): string
    {
        return 'Theory against practice';
    }

    public function about(): string
    {
        return 'One worker, requests of ' . self::QUERIES . ' queries. T_cpu and T_io are measured with one request at a time; they predict the best number of requests at once, 1 + T_io/T_cpu, and the gain in throughput, which is the same number.';
    }

    public function baseline(): string
    {
        return 'weft-blocking';
    }

    public function arms(): array
    {
        return ['weft-blocking', 'weft'];
    }

    public function workloads(): array
    {
        return [self::WORKLOAD];
    }

    public function rounds(): int
    {
        return $this->bench->options->quick() ? 1 : min(2, $this->bench->options->rounds);
    }

    public function seconds(): float
    {
        return count($this->latencies()) * 2 * (self::START_SECONDS + count($this->work()) * (1.4 * $this->bench->options->duration + 0.7));
    }

    public function prepare(): void
    {
    }

    public function round(int $number): void
    {
        if (!$this->bench->options->wants(self::WORKLOAD)) {
            return;
        }
        foreach ($this->latencies() as $latency) {
            $this->bench->console->say("theory: database $latency ms away");
            $runner = new Runner($this->bench, $this->name(), $latency);
            $alone = [];
            foreach ($this->bench->arms(['weft-blocking'], 1) as $arm) {
                $runner->with($arm, 1, [], function (Server $server) use ($runner, &$alone): void {
                    $alone = $this->alone($runner, $server);
                });
            }
            foreach ($this->bench->arms(['weft'], 1) as $arm) {
                $options = ['-d', 'weft.pdo_pool_max=' . self::POOL, '-d', 'weft.http_concurrency=' . self::POOL];
                $runner->with($arm, 1, $options, fn (Server $server) => $this->together($runner, $server, $alone));
            }
        }
    }

    public function finish(): void
    {
    }

    /** @return array<int, array{float, float}> T_cpu and T_io in ms, by work */
    private function alone(Runner $runner, Server $server): array
    {
        $found = [];
        foreach ($this->work() as $us) {
            $runner->try('weft-blocking', self::WORKLOAD, $server, function () use ($runner, $server, $us, &$found): void {
                $sample = $this->sample($server, $us, 1);
                $all = 1000 / max(0.001, $sample->metrics['throughput']);
                $cpu = max(0.01, min($all, $sample->metrics['cpu']));
                $found[$us] = [$cpu, $all - $cpu];
                $runner->add('weft-blocking', self::WORKLOAD, self::parameters($us, 1), $sample->with(['t_cpu' => $cpu, 't_io' => $all - $cpu]));
            });
        }

        return $found;
    }

    /** @param array<int, array{float, float}> $alone */
    private function together(Runner $runner, Server $server, array $alone): void
    {
        foreach ($alone as $us => [$cpu, $io]) {
            $runner->try('weft', self::WORKLOAD, $server, function () use ($runner, $server, $us, $cpu, $io): void {
                $optimum = 1 + $io / $cpu;
                $atOnce = (int) min(self::POOL, max(2, ceil(self::AT_ONCE_OF_OPTIMUM * $optimum)));
                $sample = $this->sample($server, $us, $atOnce);
                $gain = $sample->metrics['throughput'] * ($cpu + $io) / 1000;
                $marks = $gain < self::NO_GAIN ? ['coroutines gain nothing here'] : [];
                $metrics = ['t_cpu' => $cpu, 't_io' => $io, 'predicted_n' => $optimum, 'predicted_gain' => $optimum, 'gain' => $gain,
                    'prediction_error' => 100 * ($optimum / $gain - 1)];
                $runner->add('weft', self::WORKLOAD, self::parameters($us, null), $sample->with($metrics + ['at_once' => (float) $atOnce], $marks));
            });
        }
    }

    private function sample(Server $server, int $us, int $atOnce): Sample
    {
        $path = self::WORKLOAD . "?us=$us&queries=" . self::QUERIES;
        $load = Load::closed($path, '"queries":' . self::QUERIES, $atOnce, $this->bench->options->duration);

        return Sample::take($this->bench->workspace, $server, $load, $this->bench->stage()->database);
    }

    /** @return array<string, scalar> how many at once follows from the measurement, so it is none of them */
    private static function parameters(int $us, ?int $atOnce): array
    {
        return ['workers' => 1, 'load' => 'closed', 'queries' => self::QUERIES, 'work_us' => $us] + ($atOnce === null ? [] : ['concurrency' => $atOnce]);
    }

    /** @return list<float> */
    private function latencies(): array
    {
        return $this->bench->options->quick() ? self::LATENCIES_QUICK : self::LATENCIES;
    }

    /** @return list<int> */
    private function work(): array
    {
        return $this->bench->options->quick() ? self::WORK_QUICK : self::WORK;
    }
}
