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
    private const SWEPT = '/load/work by requests at once';
    private const LATENCIES = [0.0, 0.5, 1.0, 2.0, 5.0, 20.0];
    private const LATENCIES_QUICK = [0.0, 5.0];

    /** Microseconds of work besides what Laravel itself takes. */
    private const WORK = [0, 5000, 20000];
    private const WORK_QUICK = [0];

    private const QUERIES = 4;
    private const START_SECONDS = 2.0;

    /** So many times the predicted optimum are under way for the gain: by then there is always somebody to compute. */
    private const AT_ONCE_OF_OPTIMUM = 2.0;

    /** Around the predicted optimum, parts of it, where the best number of requests at once is looked for. */
    private const SWEEP = [0.5, 1.0, 1.5, 3.0];
    private const SWEEP_QUICK = [0.5, 1.0];

    /** Where it is looked for, in one round. */
    private const SWEEP_LATENCIES = [1.0, 5.0];
    private const SWEEP_WORK = [0, 5000];

    /** The fewest at once whose throughput is this part of the greatest: more of them only wait. */
    private const AS_GOOD = 0.95;

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
        $each = 1.4 * $this->bench->options->duration + 0.7;
        $swept = count(array_intersect($this->latencies(), self::SWEEP_LATENCIES)) * count(array_intersect($this->work(), self::SWEEP_WORK)) * count($this->sweep());

        return count($this->latencies()) * 2 * (self::START_SECONDS + count($this->work()) * $each) + $swept * $each / $this->rounds();
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
                $runner->with($arm, 1, $options, function (Server $server) use ($runner, $latency, $alone, $number): void {
                    $this->together($runner, $server, $alone, $number === 1 && in_array($latency, self::SWEEP_LATENCIES, true));
                });
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
                $runner->add('weft-blocking', self::WORKLOAD, self::parameters($us), $sample->with(['t_cpu' => $cpu, 't_io' => $all - $cpu, 'at_once' => 1.0]));
            });
        }

        return $found;
    }

    /**
     * @param array<int, array{float, float}> $alone
     * @param bool                            $sweep whether to look for the best number at once as well
     */
    private function together(Runner $runner, Server $server, array $alone, bool $sweep): void
    {
        foreach ($alone as $us => [$cpu, $io]) {
            $runner->try('weft', self::WORKLOAD, $server, function () use ($runner, $server, $us, $cpu, $io, $sweep): void {
                $optimum = 1 + $io / $cpu;
                $atOnce = self::atOnce($optimum, self::AT_ONCE_OF_OPTIMUM);
                $sample = $this->sample($server, $us, $atOnce);
                $gain = $sample->metrics['throughput'] * ($cpu + $io) / 1000;
                $marks = $gain < self::NO_GAIN ? ['coroutines gain nothing here'] : [];
                $metrics = ['t_cpu' => $cpu, 't_io' => $io, 'predicted_n' => $optimum, 'predicted_gain' => $optimum, 'gain' => $gain,
                    'prediction_error' => 100 * ($optimum / $gain - 1)];
                if ($sweep && in_array($us, self::SWEEP_WORK, true)) {
                    $metrics['best_n'] = (float) $this->bestOf($runner, $server, $us, $optimum, [1 => 1000 / ($cpu + $io), $atOnce => $sample->metrics['throughput']]);
                }
                $runner->add('weft', self::WORKLOAD, self::parameters($us), $sample->with($metrics + ['at_once' => (float) $atOnce], $marks));
            });
        }
    }

    /** @param non-empty-array<int, float> $throughput known already, by requests at once */
    private function bestOf(Runner $runner, Server $server, int $us, float $optimum, array $throughput): int
    {
        foreach ($this->sweep() as $part) {
            $atOnce = self::atOnce($optimum, $part);
            if (!isset($throughput[$atOnce])) {
                $sample = $this->sample($server, $us, $atOnce);
                $throughput[$atOnce] = $sample->metrics['throughput'];
                $runner->add('weft', self::SWEPT, self::parameters($us) + ['concurrency' => $atOnce], $sample);
            }
        }

        return self::best($throughput);
    }

    /**
     * The fewest requests at once that are as good as any.
     *
     * @param non-empty-array<int, float> $throughput by requests at once
     */
    public static function best(array $throughput): int
    {
        $good = self::AS_GOOD * max($throughput);
        ksort($throughput);
        foreach ($throughput as $atOnce => $of) {
            if ($of >= $good) {
                return $atOnce;
            }
        }

        return array_key_first($throughput);
    }

    private static function atOnce(float $optimum, float $part): int
    {
        return (int) min(self::POOL, max(2, ceil($part * $optimum)));
    }

    private function sample(Server $server, int $us, int $atOnce): Sample
    {
        $path = self::WORKLOAD . "?us=$us&queries=" . self::QUERIES;
        $load = Load::closed($path, '"queries":' . self::QUERIES, $atOnce, $this->bench->options->duration);

        return Sample::take($this->bench->workspace, $server, $load, $this->bench->stage()->database);
    }

    /** @return array<string, scalar> */
    private static function parameters(int $us): array
    {
        return ['workers' => 1, 'load' => 'closed', 'queries' => self::QUERIES, 'work_us' => $us];
    }

    /** @return list<float> */
    private function sweep(): array
    {
        return $this->bench->options->quick() ? self::SWEEP_QUICK : self::SWEEP;
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
