<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use Weft\Bench\Run;
use Weft\Bench\Sample;

/** A run that never took place, on a machine that doesn't exist: figures of the right size and shape. */
final class Fixture
{
    private const ARMS = ['weft' => 'Weft', 'weft-blocking' => 'Weft, one at a time', 'fpm' => 'PHP-FPM', 'octane-swoole' => 'Octane on Swoole', 'plain' => 'what it replaces'];

    private int $state;

    /** @param float $drift 1.1 makes everything of Weft a tenth slower */
    private function __construct(private readonly Run $run, int $seed, private readonly float $drift, private readonly int $rounds)
    {
        $this->state = $seed;
    }

    /** @param list<string>|null $suites some of them */
    public static function run(string $directory = '/nowhere', int $seed = 1, float $drift = 1.0, int $rounds = 3, string $commit = '0123456789ab', ?array $suites = null): Run
    {
        $run = new Run($directory, $commit, 'full', ['cpu' => 'Imaginary 9000 at 1 GHz', 'cores' => '4', 'memory' => '8 GiB'], ['php' => '8.2.0'], ['rounds' => "$rounds"]);
        $run->started = '2001-02-03T04:05:06Z';
        $run->finished = '2001-02-03T04:45:06Z';
        $run->arms = array_map(static fn (string $title): array => ['title' => $title, 'skipped' => null], self::ARMS) + [
            'octane-frankenphp' => ['title' => 'Octane on FrankenPHP', 'skipped' => 'frankenphp is not installed'],
        ];
        $fixture = new self($run, $seed, $drift, $rounds);
        $all = [
            'database' => $fixture->database(...),
            'effects' => $fixture->effects(...),
            'theory' => $fixture->theory(...),
            'fanout' => $fixture->fanout(...),
            'micro' => $fixture->micro(...),
        ];
        foreach ($all as $name => $fill) {
            $run->suites[$name] = ['title' => "The suite $name", 'about' => 'Pages of `examples/laravel`.', 'baseline' => ['fanout' => 'fpm', 'micro' => 'plain'][$name] ?? 'fpm'];
            if ($suites === null || in_array($name, $suites, true)) {
                $fill();
            }
        }
        $run->hole('database', 'octane-swoole', '/test', 'did not come up within 20 s');
        $run->check('bodies', true, 'all arms gave the same 4 bodies');

        return $run;
    }

    private function database(): void
    {
        foreach (['/bench' => [10, 5], '/test' => [1], '/hello' => [0]] as $path => $variants) {
            foreach ($variants as $queries) {
                foreach ([1, 2, 4, 8] as $workers) {
                    foreach (['weft', 'fpm', 'octane-swoole'] as $arm) {
                        $this->add('database', $arm, $path, ['workers' => $workers, 'queries' => $queries, 'load' => 'closed'], $this->served($arm, $workers, 2.2 * $queries));
                    }
                }
            }
        }
        foreach (['weft' => 1, 'fpm' => 3] as $arm => $workers) {
            $this->add('database', $arm, '/bench', ['workers' => $workers, 'queries' => 10], $this->served($arm, $workers, 22.0), pair: 'equal memory');
        }
    }

    /** @return array<string, float> */
    private function served(string $arm, int $workers, float $wait): array
    {
        $cpu = (['weft' => 0.9 * $this->drift, 'fpm' => 3.6][$arm] ?? 1.1) + $wait * 0.06;
        $throughput = min(4, $workers) * 1000 / ($arm === 'weft' ? $cpu : $cpu + $wait);

        return [
            'throughput' => $throughput, 'p50' => 32_000 / $throughput, 'p95' => 51_000 / $throughput, 'p99' => 70_000 / $throughput, 'failed' => 0.0, 'cpu' => $cpu,
            'pss_load' => 45.0 + $workers * ($arm === 'weft' ? 6 : 9), 'connections' => (float) $workers, 'phase_php' => $cpu, 'phase_sql' => $wait, 'phase_worker' => 0.5,
        ];
    }

    private function effects(): void
    {
        foreach (['hello' => 1.0, 'one query' => 4.0, 'mix' => 3.1] as $workload => $gain) {
            foreach ([100, 500, 1000] as $concurrency) {
                foreach (['fpm' => 250.0, 'weft-blocking' => 900.0, 'weft' => 900.0 * $gain] as $arm => $throughput) {
                    $this->add('effects', $arm, $workload, ['concurrency' => $concurrency, 'workers' => 1], ['throughput' => $throughput]);
                }
                $this->add('effects', 'weft', "$workload: gain", ['concurrency' => $concurrency], ['gain' => 3.6 * $gain, 'gain_stateful' => 3.6, 'gain_concurrent' => $gain]);
            }
        }
    }

    private function theory(): void
    {
        foreach ([0.0, 0.5, 1.0, 2.0, 5.0, 20.0] as $latency) {
            $wait = 0.05 + 10 * $latency;
            $this->add(
                'theory',
                'weft',
                'sweep',
                ['latency_ms' => $latency, 'workers' => 1],
                ['t_cpu' => 1.0, 't_io' => $wait, 'predicted_gain' => 1 + $wait, 'gain' => 1 + 0.9 * $wait],
            );
        }
    }

    private function fanout(): void
    {
        foreach (['fpm' => 2200.0, 'weft' => 251.8] as $arm => $elapsed) {
            $this->add('fanout', $arm, 'full', [], ['elapsed' => $elapsed, 'slowest' => 250.4, 'cpu' => 9.0], noise: 0.005);
        }
        $this->run->rows('fanout')[1]->timeline = [['label' => 'SQL north', 'start' => 0.4, 'end' => 201.2], ['label' => 'HTTP rates', 'start' => 0.9, 'end' => 251.5]];
    }

    private function micro(): void
    {
        foreach (['switch' => [78, 88], 'spawn' => [631, 12800]] as $workload => [$weft, $other]) {
            foreach (['weft' => $weft * $this->drift, 'plain' => (float) $other] as $arm => $time) {
                $this->add('micro', $arm, $workload, [], ['nanoseconds' => $time])->baseline = 'plain';
            }
        }
    }

    /**
     * @param array<string, scalar> $parameters
     * @param array<string, float>  $metrics
     */
    private function add(string $suite, string $arm, string $workload, array $parameters, array $metrics, ?string $pair = null, float $noise = 0.04): \Weft\Bench\Row
    {
        for ($round = 1; $round < $this->rounds; $round++) {
            $this->run->add($suite, $arm, $workload, $parameters, Sample::measured(array_map(fn (float $value): float => $this->about($value, $noise), $metrics)), $pair);
        }

        return $this->run->add($suite, $arm, $workload, $parameters, Sample::measured(array_map(fn (float $value): float => $this->about($value, $noise), $metrics)), $pair);
    }

    private function about(float $value, float $noise): float
    {
        $this->state = (1103515245 * $this->state + 12345) & 0x7fffffff;

        return round($value * (1 + $noise * ($this->state / 0x40000000 - 1)), 4);
    }
}
