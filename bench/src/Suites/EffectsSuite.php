<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Arm;
use Weft\Bench\Bench;
use Weft\Bench\Load;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Suite;

/** The same code stateless, stateful but blocking, and stateful and concurrent: which of the two steps gains what. */
final class EffectsSuite implements Suite
{
    /** @var array<string, array{string, string}> path, needle by workload */
    private const WORKLOADS = [
        'hello' => ['/hello', '"message":"Hello"'],
        'autoload' => ['/load/classes', '"sum":4950'],
        'query' => ['/load/query', '"one":1'],
        'mix' => ['/load/mix', '"views":'],
    ];
    private const AT_ONCE = [100, 500, 1000];
    private const AT_ONCE_QUICK = [20];
    private const WORKERS = 1;
    private const START_SECONDS = 2.0;

    /** A thousand requests at once wait for long at a blocking worker: more rounds would take too much of the time. */
    private const MOST_ROUNDS = 1;

    /** Until the queue is full, and until it is empty again, for each hundred at once. */
    private const QUEUE_SECONDS = 1.0;

    private ?Runner $runner = null;

    public function __construct(private readonly Bench $bench)
    {
    }

    public function name(): string
    {
        return 'effects';
    }

    public function title(): string
    {
        return 'Which effect is which';
    }

    public function about(): string
    {
        return 'One worker: booted anew for each request (PHP-FPM), booted once (Weft, one request at a time), booted once and concurrent (Weft). hello; autoload of 100 classes; one SQL query; a mix of cache, files and database. The gain is the product of the two steps.';
    }

    public function baseline(): string
    {
        return 'fpm';
    }

    public function arms(): array
    {
        return ['fpm', 'weft-blocking', 'weft'];
    }

    public function workloads(): array
    {
        return array_keys(self::WORKLOADS);
    }

    public function rounds(): int
    {
        return min(self::MOST_ROUNDS, $this->bench->options->rounds);
    }

    public function seconds(): float
    {
        $each = self::START_SECONDS + 1.4 * $this->bench->options->duration;

        return count($this->bench->arms($this->arms(), 1)) * count($this->wanted())
            * (count($this->atOnce()) * $each + self::QUEUE_SECONDS * array_sum($this->atOnce()) / 100);
    }

    public function prepare(): void
    {
        $this->runner = new Runner($this->bench, $this->name(), $this->bench->options->delay);
    }

    public function round(int $number): void
    {
        $throughput = [];
        foreach ($this->bench->arms($this->arms(), $number) as $arm) {
            $this->bench->console->say("effects: {$arm->title()}");
            foreach ($this->wanted() as $workload => $page) {
                foreach ($this->atOnce() as $atOnce) {
                    // Started anew: a blocking worker may still be busy with what the last one has given up.
                    $this->runner?->with($arm, self::WORKERS, ["--concurrency=$atOnce"], function (Server $server) use ($arm, $workload, $page, $atOnce, &$throughput): void {
                        $throughput[$workload][$atOnce][$arm->name()] = $this->measure($arm, $server, $workload, $page, $atOnce);
                    });
                }
            }
        }
        foreach ($throughput as $workload => $rows) {
            foreach ($rows as $atOnce => $of) {
                $this->factors($workload, $atOnce, $of['fpm'] ?? 0.0, $of['weft-blocking'] ?? 0.0, $of['weft'] ?? 0.0);
            }
        }
    }

    public function finish(): void
    {
    }

    /** @param array{string, string} $page */
    private function measure(Arm $arm, Server $server, string $workload, array $page, int $atOnce): float
    {
        $throughput = 0.0;
        $this->runner?->try($arm->name(), $workload, $server, function () use ($arm, $server, $workload, $page, $atOnce, &$throughput): void {
            [$path, $needle] = $page;
            $this->runner?->compareBodies($arm->name(), $server, $path);
            $sample = Sample::take($this->bench->workspace, $server, Load::closed($path, $needle, $atOnce, $this->bench->options->duration, mayOverload: true), $this->bench->stage()->database);
            $this->runner?->add($arm->name(), $workload, ['workers' => self::WORKERS, 'load' => 'closed', 'concurrency' => $atOnce], $sample);
            $throughput = $sample->metrics['throughput'] ?? 0.0;
        });

        return $throughput;
    }

    private function factors(string $workload, int $atOnce, float $stateless, float $blocking, float $concurrent): void
    {
        if (min($stateless, $blocking, $concurrent) > 0.0) {
            $this->bench->result->add('effects', 'weft', "$workload: gain", ['workers' => self::WORKERS, 'concurrency' => $atOnce], [
                'gain' => $concurrent / $stateless,
                'gain_stateful' => $blocking / $stateless,
                'gain_concurrent' => $concurrent / $blocking,
            ]);
        }
    }

    /** @return array<string, array{string, string}> */
    private function wanted(): array
    {
        return array_filter(self::WORKLOADS, $this->bench->options->wants(...), ARRAY_FILTER_USE_KEY);
    }

    /** @return list<int> */
    private function atOnce(): array
    {
        return $this->bench->options->quick() ? self::AT_ONCE_QUICK : self::AT_ONCE;
    }
}
