<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

/** A run that never took place, on a machine that doesn't exist: figures of the right size and shape. */
final class Fixture
{
    private const ARMS = [
        'weft' => 'Weft', 'weft-blocking' => 'Weft, one at a time', 'fpm' => 'PHP-FPM', 'octane-swoole' => 'Octane on Swoole',
    ];

    private int $state;

    /** @param float $drift 1.1 makes everything of Weft a tenth slower */
    private function __construct(int $seed, private readonly float $drift, private readonly int $rounds)
    {
        $this->state = $seed;
    }

    /** @return array<string, mixed> what raw.json holds */
    public static function run(int $seed = 1, float $drift = 1.0, int $rounds = 3): array
    {
        $fixture = new self($seed, $drift, $rounds);

        return [
            'format' => 1, 'commit' => '0123456789ab', 'started' => '2001-02-03T04:05:06Z', 'finished' => '2001-02-03T04:45:06Z',
            'complete' => true, 'profile' => 'full',
            'machine' => ['cpu' => 'Imaginary 9000 at 1 GHz', 'cores' => 4, 'memory' => '8 GiB', 'kernel' => '0.0.0-fixture', 'os' => 'No system'],
            'versions' => ['php' => '8.2.0', 'weft' => '0.0', 'nginx' => '1.0', 'postgresql' => '15.0'],
            'settings' => ['rounds' => $rounds, 'seconds' => 4, 'scale' => 0.25, 'opcache' => true, 'workers' => [1, 2, 4, 8]],
            'arms' => [
                ...array_map(static fn (string $name, string $title): array => ['name' => $name, 'title' => $title, 'skipped' => null], array_keys(self::ARMS), self::ARMS),
                ['name' => 'octane-frankenphp', 'title' => 'Octane on FrankenPHP', 'skipped' => 'frankenphp is not installed (WEFT_BENCH_FRANKENPHP=path)'],
            ],
            'suites' => [$fixture->database(), $fixture->effects(), $fixture->theory(), $fixture->fanout(), $fixture->scale(), $fixture->micro()],
            'holes' => [['suite' => 'database', 'arm' => 'octane-swoole', 'workload' => '/test', 'reason' => 'did not come up within 20 s', 'log' => 'var/bench-run/log/swoole.log']],
            'checks' => [
                ['name' => 'bodies', 'passed' => true, 'detail' => 'all arms gave the same 4 bodies'],
                ['name' => 'generator', 'passed' => true, 'detail' => 'within 2 % of wrk on a static file'],
            ],
        ];
    }

    /** @return array<string, mixed> one that Ctrl-C ended in its first suite */
    public static function interrupted(): array
    {
        $run = self::run();
        $suites = (array) $run['suites'];

        return ['finished' => null, 'complete' => false, 'suites' => [$suites[0], ['rows' => []] + (array) $suites[1]], 'holes' => []] + $run;
    }

    /** @return array<string, mixed> */
    private function database(): array
    {
        $rows = [];
        foreach (['/bench' => [10, 5], '/test' => [null], '/hello' => [null]] as $path => $variants) {
            foreach ($variants as $queries) {
                foreach ([1, 2, 4, 8] as $workers) {
                    foreach (['weft', 'fpm', 'octane-swoole'] as $arm) {
                        if ($arm === 'octane-swoole' && $path === '/test') {
                            continue;
                        }
                        $rows[] = $this->served($arm, $path, ['workers' => $workers] + ($queries === null ? [] : ['queries' => $queries]) + ['latency_ms' => 1.1, 'load' => 'closed']);
                    }
                }
            }
        }
        $rows[] = ['pair' => 'equal memory'] + $this->served('weft', '/bench', ['workers' => 1, 'queries' => 10]);
        $rows[] = ['pair' => 'equal memory'] + $this->served('fpm', '/bench', ['workers' => 3, 'queries' => 10]);

        return ['name' => 'database', 'title' => 'Laravel and the database', 'about' => 'Pages of `examples/laravel`, each arm with the same database 1.1 ms away.', 'rows' => $rows];
    }

    /**
     * @param array<string, int|float|string> $parameters
     *
     * @return array<string, mixed>
     */
    private function served(string $arm, string $path, array $parameters): array
    {
        $workers = (int) $parameters['workers'];
        $wait = ['/bench' => 2.2 * (int) ($parameters['queries'] ?? 10), '/test' => 12.0, '/hello' => 0.0][$path] ?? 0.0;
        $cpu = ['weft' => 0.9, 'fpm' => 3.6, 'octane-swoole' => 1.1][$arm] + $wait * 0.06;
        $cpu *= $arm === 'weft' ? $this->drift : 1.0;
        $throughput = min(4, $workers) * 1000 / ($arm === 'weft' ? $cpu : $cpu + $wait);
        $p50 = 32_000 / $throughput;
        $metrics = [
            'throughput' => $this->metric('requests/s', 'higher', $throughput),
            'p50' => $this->metric('ms', 'lower', $p50), 'p95' => $this->metric('ms', 'lower', $p50 * 1.6), 'p99' => $this->metric('ms', 'lower', $p50 * 2.2),
            'failed' => ['unit' => '', 'better' => 'lower', 'rounds' => [0, 0, 0], 'median' => 0, 'spread' => 0],
            'cpu' => $this->metric('ms/request', 'lower', $cpu),
            'pss_idle' => $this->metric('MiB', 'lower', 40 + $workers * 1.3), 'pss_load' => $this->metric('MiB', 'lower', ($arm === 'octane-swoole' ? 60 : 45) + $workers * ($arm === 'weft' ? 6 : 9)),
            'connections' => $this->metric('', 'none', $arm === 'weft' ? 10 * $workers : $workers),
            'phase_php' => $this->metric('ms', 'lower', $cpu), 'phase_sql' => $this->metric('ms', 'lower', $wait), 'phase_worker' => $this->metric('ms', 'lower', max(0, $p50 - $wait - $cpu)),
        ];
        if ($path === '/bench' && $workers === 4 && $arm === 'weft') {
            $metrics['throughput']['target'] = ['ratio' => 5.4];
        }
        $curve = array_map(static fn (float $at): array => [$at, round($p50 * (0.8 + 0.2 * -log(1.0001 - $at / 100)), 2)], [1, 10, 25, 50, 75, 90, 95, 99, 99.9, 100]);

        return [
            'arm' => $arm, 'workload' => $path, 'parameters' => $parameters, 'metrics' => $metrics,
            'distribution' => ['latency_ms' => $curve], 'marks' => $path === '/hello' && $workers === 8 && $arm === 'weft' ? ['generator saturated'] : [],
        ];
    }

    /** @return array<string, mixed> */
    private function effects(): array
    {
        $rows = [];
        foreach (['hello' => 1.0, 'autoload 100 classes' => 1.02, 'one query' => 4.0, 'mix' => 3.1] as $workload => $gain) {
            foreach ([100, 500, 1000] as $concurrency) {
                foreach (['fpm' => 250.0, 'weft-blocking' => 900.0, 'weft' => 900.0 * $gain] as $arm => $throughput) {
                    $rows[] = ['arm' => $arm, 'workload' => $workload, 'parameters' => ['concurrency' => $concurrency, 'workers' => 1], 'metrics' => [
                        'throughput' => $this->metric('requests/s', 'higher', $throughput), 'errors' => ['unit' => '', 'better' => 'lower', 'rounds' => [0, 0, 0]],
                    ]];
                }
                $rows[] = ['arm' => 'weft', 'workload' => "$workload: gain", 'parameters' => ['concurrency' => $concurrency], 'metrics' => [
                    'gain' => $this->metric('times', 'higher', 3.6 * $gain), 'gain_stateful' => $this->metric('times', 'higher', 3.6), 'gain_concurrent' => $this->metric('times', 'higher', $gain),
                ]];
            }
        }

        return ['name' => 'effects', 'title' => 'Which effect is which', 'about' => 'The same code stateless, stateful, and stateful and concurrent.', 'rows' => $rows];
    }

    /** @return array<string, mixed> */
    private function theory(): array
    {
        $rows = [];
        foreach ([0, 0.5, 1, 2, 5, 20] as $latency) {
            foreach ([1, 4] as $cpu) {
                $wait = 0.05 + 10 * $latency;
                $gain = 1 + $wait / $cpu;
                $rows[] = ['arm' => 'weft', 'workload' => 'sweep', 'parameters' => ['latency_ms' => $latency, 'cpu_ms' => $cpu, 'workers' => 1], 'metrics' => [
                    't_cpu' => $this->metric('ms', 'none', $cpu), 't_io' => $this->metric('ms', 'none', $wait),
                    'predicted_n' => ['unit' => '', 'better' => 'none', 'rounds' => [ceil($gain)]], 'predicted_gain' => ['unit' => '×', 'better' => 'none', 'rounds' => [$gain]],
                    'gain' => $this->metric('×', 'higher', 1 + ($gain - 1) * 0.9),
                ]];
            }
        }

        return ['name' => 'theory', 'title' => 'Theory against practice', 'about' => '', 'rows' => $rows];
    }

    /** @return array<string, mixed> */
    private function fanout(): array
    {
        $rows = [];
        foreach (['HTTP only' => 1250.0, 'full' => 2200.0] as $workload => $sum) {
            foreach (['sequential' => $sum, 'guzzle' => 251.0 + ($workload === 'full' ? 950 : 0), 'weft' => 251.8] as $arm => $elapsed) {
                $rows[] = ['arm' => $arm, 'workload' => $workload, 'parameters' => [], 'metrics' => [
                    'elapsed' => $this->metric('ms', 'lower', $elapsed, 15, 0.005), 'slowest' => $this->metric('ms', 'none', 250.4, 15, 0.002),
                    'overhead' => ['target' => ['value' => 3]] + $this->metric('ms', 'lower', max(0.4, $elapsed - 250.4), 15), 'cpu' => $this->metric('ms/request', 'lower', 9.0, 15),
                ], 'timeline' => $arm !== 'weft' || $workload !== 'full' ? [] : [
                    ...array_map(static fn (string $region): array => ['label' => "SQL $region", 'start' => 0.4, 'end' => 201.2], ['north', 'south', 'east', 'west']),
                    ['label' => 'SQL summary', 'start' => 0.6, 'end' => 151.0], ['label' => 'HTTP rates', 'start' => 0.9, 'end' => 251.5],
                ]];
            }
        }

        return ['name' => 'fanout', 'title' => 'Fan-out', 'about' => 'The sales report: ten calls, of which the slowest takes 250 ms.', 'baseline' => 'sequential', 'rows' => $rows];
    }

    /** @return array<string, mixed> */
    private function scale(): array
    {
        $rows = [];
        foreach ([1000, 10000, 50000] as $connections) {
            $rows[] = ['arm' => 'weft', 'workload' => 'idle connections', 'parameters' => ['connections' => $connections], 'metrics' => ['memory_each' => $this->metric('KiB', 'lower', 2.1)]];
        }

        return ['name' => 'scale', 'title' => 'Scale', 'about' => '', 'rows' => $rows];
    }

    /** @return array<string, mixed> */
    private function micro(): array
    {
        $rows = [];
        foreach (['switch' => [78, 'fiber', 88], 'spawn' => [631, 'fiber', 12800], 'interposed recv' => [410, 'libc', 380]] as $workload => [$weft, $other, $time]) {
            $rows[] = ['arm' => 'weft', 'workload' => $workload, 'parameters' => [], 'baseline' => $other, 'metrics' => ['nanoseconds' => ['target' => ['ratio' => 0.95]] + $this->metric('ns', 'lower', $weft * $this->drift, 7)]];
            $rows[] = ['arm' => $other, 'workload' => $workload, 'parameters' => [], 'baseline' => $other, 'metrics' => ['nanoseconds' => $this->metric('ns', 'lower', $time, 7)]];
        }

        return ['name' => 'micro', 'title' => 'Micro', 'about' => '', 'rows' => $rows];
    }

    /** @return array{unit: string, better: string, rounds: list<float>, median: float, spread: float} */
    private function metric(string $unit, string $better, float $value, ?int $rounds = null, float $noise = 0.04): array
    {
        $values = [];
        foreach (range(1, $rounds ?? $this->rounds) as $_) {
            $this->state = (1103515245 * $this->state + 12345) & 0x7fffffff;
            $values[] = round($value * (1 + $noise * ($this->state / 0x40000000 - 1)), 4);
        }
        $sorted = $values;
        sort($sorted);
        $median = $sorted[intdiv(count($sorted), 2)];

        return ['unit' => $unit, 'better' => $better, 'rounds' => $values, 'median' => $median, 'spread' => $median === 0.0 ? 0.0 : (max($values) - min($values)) / $median];
    }
}
