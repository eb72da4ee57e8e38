<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Page;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Suite;

/** N = 1 + T_io / T_cpu: what it predicts, and what happens, over the database's distance and the CPU time of a request. */
final class Theory extends Suite
{
    public const TITLE = 'Theory against practice';
    public const ABOUT = 'One worker, requests of 4 queries. T_cpu and T_io are measured with one request at a time; '
        . 'they predict the best number of requests at once, 1 + T_io/T_cpu, and the gain in throughput, which is the same number.';
    public const BASELINE = 'weft-blocking';
    public const ARMS = ['weft-blocking', 'weft'];
    public const WORKLOADS = ['/load/work'];

    private const LATENCIES = [0.0, 0.5, 1.0, 2.0, 5.0, 20.0];
    private const LATENCIES_QUICK = [0.0, 5.0];

    /** Microseconds of work besides what Laravel itself takes. */
    private const WORK = [0, 5000, 20000];
    private const WORK_QUICK = [0];

    private const QUERIES = 4;

    /** So many times the predicted optimum are under way for the gain: by then there is always somebody to compute. */
    private const AT_ONCE_OF_OPTIMUM = 2.0;

    /** Around the predicted optimum, parts of it, where the best number of requests at once is looked for, in one round. */
    private const SWEEP = [0.5, 1.0, 1.5, 3.0];
    private const SWEEP_QUICK = [0.5, 1.0];
    private const SWEEP_LATENCIES = [1.0, 5.0];
    private const SWEEP_WORK = [0, 5000];

    /** The fewest at once whose throughput is this part of the greatest: more of them only wait. */
    private const AS_GOOD = 0.95;

    /** A gain below this is none. */
    private const NO_GAIN = 1.1;

    /** Weft's pool must not be what limits; a database that has to feed more connections than this would be instead. */
    private const POOL = 64;

    public function rounds(): int
    {
        return (int) min(2, $this->bench->options->get('rounds'));
    }

    public function round(int $number): void
    {
        foreach ($this->of(self::LATENCIES, self::LATENCIES_QUICK) as $latency) {
            $site = $this->bench->stage()->site($latency);
            $alone = [];
            foreach ($this->arms(1, ['weft-blocking']) as $arm) {
                $this->serve($arm, 1, $site, function (Server $server) use ($latency, &$alone): void {
                    $alone = $this->alone($server, $latency);
                });
            }
            foreach ($this->arms(1, ['weft']) as $arm) {
                $sweep = $number === 1 && in_array($latency, self::SWEEP_LATENCIES, true);
                $options = ['-d', 'weft.pdo_pool_max=' . self::POOL, '-d', 'weft.http_concurrency=' . self::POOL];
                $this->serve($arm, 1, $site, fn (Server $server) => $this->together($server, $latency, $alone, $sweep), $options);
            }
        }
    }

    /** @return array<int, array{float, float}> T_cpu and T_io in ms, by work */
    private function alone(Server $server, float $latency): array
    {
        $found = [];
        foreach ($this->of(self::WORK, self::WORK_QUICK) as $us) {
            $this->attempt('weft-blocking', '/load/work', function () use ($server, $us, $latency, &$found): void {
                $sample = $this->sample($server, $us, 1);
                $all = 1000 / max(0.001, $sample->metrics['throughput']);
                $cpu = max(0.01, min($all, $sample->metrics['cpu'] ?? 0.0));
                $found[$us] = [$cpu, $all - $cpu];
                $this->add('weft-blocking', '/load/work', self::parameters($us, $latency), $sample->with(['t_cpu' => $cpu, 't_io' => $all - $cpu, 'at_once' => 1.0]));
            });
        }

        return $found;
    }

    /**
     * @param array<int, array{float, float}> $alone
     * @param bool                            $sweep whether to look for the best number at once as well
     */
    private function together(Server $server, float $latency, array $alone, bool $sweep): void
    {
        foreach ($alone as $us => [$cpu, $io]) {
            $this->attempt('weft', '/load/work', function () use ($server, $us, $latency, $cpu, $io, $sweep): void {
                $optimum = 1 + $io / $cpu;
                $atOnce = self::atOnce($optimum, self::AT_ONCE_OF_OPTIMUM);
                $sample = $this->sample($server, $us, $atOnce);
                $gain = $sample->metrics['throughput'] * ($cpu + $io) / 1000;
                $metrics = ['t_cpu' => $cpu, 't_io' => $io, 'predicted_gain' => $optimum, 'gain' => $gain,
                    'prediction_error' => 100 * ($optimum / max(0.001, $gain) - 1), 'at_once' => (float) $atOnce];
                if ($sweep && in_array($us, self::SWEEP_WORK, true)) {
                    $metrics['best_n'] = (float) $this->bestOf($server, $us, $latency, $optimum, [1 => 1000 / ($cpu + $io), $atOnce => $sample->metrics['throughput']]);
                }
                $this->add('weft', '/load/work', self::parameters($us, $latency), $sample->with($metrics, $gain < self::NO_GAIN ? ['coroutines gain nothing here'] : []));
            });
        }
    }

    /** @param non-empty-array<int, float> $throughput known already, by requests at once */
    private function bestOf(Server $server, int $us, float $latency, float $optimum, array $throughput): int
    {
        foreach ($this->of(self::SWEEP, self::SWEEP_QUICK) as $part) {
            $atOnce = self::atOnce($optimum, $part);
            if (!isset($throughput[$atOnce])) {
                $sample = $this->sample($server, $us, $atOnce);
                $throughput[$atOnce] = $sample->metrics['throughput'];
                $this->add('weft', '/load/work by requests at once', ['concurrency' => $atOnce] + self::parameters($us, $latency), $sample);
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

        return min(array_keys(array_filter($throughput, static fn (float $of): bool => $of >= $good)) ?: [1]);
    }

    private static function atOnce(float $optimum, float $part): int
    {
        return (int) min(self::POOL, max(2, ceil($part * $optimum)));
    }

    private function sample(Server $server, int $us, int $atOnce): Sample
    {
        return $this->closed($server, new Page("/load/work?us=$us&queries=" . self::QUERIES, '"queries":' . self::QUERIES), $atOnce);
    }

    /** @return array<string, scalar> */
    private static function parameters(int $us, float $latency): array
    {
        return ['workers' => 1, 'load' => 'closed', 'work_us' => $us, 'latency_ms' => $latency];
    }
}
