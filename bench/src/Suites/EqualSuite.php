<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Arm;
use Weft\Bench\Bench;
use Weft\Bench\Load;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Suite;

/** /bench where the arms get the same of something else than workers. */
final class EqualSuite implements Suite
{
    private const WORKLOAD = '/bench';
    private const DATABASE_CONNECTIONS = 8;
    private const BLOCKING_WORKERS = [4, 8, 16, 32];
    private const BLOCKING_WORKERS_QUICK = [8];
    /** Many workers are slow to start and to load. */
    private const MOST_ROUNDS = 2;

    /** Enough for the largest number of workers, twice. */
    private const CONNECTIONS = 64;

    private const START_SECONDS = 2.0;

    /** So near counts as reached: what two runs of the same differ by. */
    private const REACHED = 0.95;

    private ?Runner $runner = null;

    public function __construct(private readonly Bench $bench)
    {
    }

    public function name(): string
    {
        return 'equal';
    }

    public function title(): string
    {
        return 'At equal means';
    }

    public function about(): string
    {
        return '/bench at peak with as many database connections for each arm, with as much memory, and how many blocking workers it takes to match one Weft worker.';
    }

    public function baseline(): string
    {
        return 'fpm';
    }

    public function arms(): array
    {
        return $this->bench->options->quick() ? ['weft', 'fpm'] : ['weft', 'fpm', 'octane-swoole'];
    }

    public function workloads(): array
    {
        return [self::WORKLOAD];
    }

    public function rounds(): int
    {
        return $this->bench->options->quick() ? 1 : min(self::MOST_ROUNDS, $this->bench->options->rounds);
    }

    public function seconds(): float
    {
        $blocking = count($this->bench->arms($this->arms(), 1)) - 1;

        return (2 + (1 + count($this->blockingWorkers())) * $blocking) * (self::START_SECONDS + 1.4 * $this->bench->options->duration + 3.0);
    }

    public function prepare(): void
    {
    }

    public function round(int $number): void
    {
        if (!$this->bench->options->wants(self::WORKLOAD)) {
            return;
        }
        $connections = self::DATABASE_CONNECTIONS;
        foreach ($this->bench->arms($this->arms(), $number) as $arm) {
            $this->bench->console->say("equal: {$arm->title()}");
            $weft = $arm->name() === 'weft';
            $parameters = ['equal' => 'database connections', 'database_connections' => $connections];
            $this->measure($arm, $weft ? 1 : $connections, $parameters, $weft ? ['-d', "weft.pdo_pool_max=$connections"] : []);
        }
        $one = null;
        foreach ($this->bench->arms(['weft'], 1) as $weft) {
            $one = $this->measure($weft, 1, ['equal' => 'throughput or memory']);
        }
        foreach ($this->bench->arms(array_values(array_diff($this->arms(), ['weft'])), $number) as $arm) {
            $this->match($arm, $one);
        }
    }

    public function finish(): void
    {
    }

    /** More and more blocking workers, until they do what one Weft worker does. */
    private function match(Arm $arm, ?Sample $one): void
    {
        $memory = $one->metrics['pss_load'] ?? null;
        $wanted = $one->metrics['throughput'] ?? null;
        $within = $needed = null;
        foreach ($this->blockingWorkers() as $workers) {
            $sample = $this->measure($arm, $workers, ['equal' => 'throughput or memory']);
            if ($sample === null || $memory === null || $wanted === null) {
                return;
            }
            if (($sample->metrics['pss_load'] ?? 0.0) <= $memory) {
                $within = [$workers, $sample];
            }
            $needed = $needed ?? (($sample->metrics['throughput'] ?? 0.0) >= self::REACHED * $wanted ? $workers : null);
        }
        $result = $this->bench->result;
        if ($within !== null) {
            [$workers, $sample] = $within;
            $result->add('equal', $arm->name(), self::WORKLOAD, ['equal' => 'memory', 'most_memory_of' => 'weft, 1 worker'], ['workers' => (float) $workers] + $sample->metrics);
        }
        $most = max($this->blockingWorkers());
        $result->add(
            'equal',
            $arm->name(),
            'workers that match one Weft worker',
            ['tried' => implode(',', $this->blockingWorkers())],
            ['workers_to_match' => (float) ($needed ?? $most)],
            null,
            $needed === null ? ["not matched by $most workers"] : [],
        );
    }

    /**
     * @param array<string, scalar> $parameters
     * @param list<string>          $weft
     */
    private function measure(Arm $arm, int $workers, array $parameters, array $weft = []): ?Sample
    {
        $found = null;
        $this->runner ??= new Runner($this->bench, $this->name(), $this->bench->options->delay);
        $this->runner->with($arm, $workers, $weft, function (Server $server) use ($arm, $workers, $parameters, &$found): void {
            [$path, $needle] = Routes::DATABASE[self::WORKLOAD];
            $this->runner?->compareBodies($arm->name(), $server, $path);
            $o = $this->bench->options;
            $found = Sample::take($this->bench->workspace, $server, Load::closed($path, $needle, max($o->quick() ? 0 : self::CONNECTIONS, $o->connections), $o->duration), $this->bench->stage()->database);
            $row = $this->runner?->add($arm->name(), self::WORKLOAD, $parameters + ['workers' => $workers, 'load' => 'closed'], $found);
            if ($parameters['equal'] === 'database connections') {
                $row?->pair('equal database connections');
            }
            if ($arm->name() === 'weft' && $parameters['equal'] !== 'database connections') {
                $this->bench->result->add('equal', 'weft', self::WORKLOAD, ['equal' => 'memory', 'most_memory_of' => 'weft, 1 worker'], ['workers' => 1.0] + $found->metrics);
            }
        });

        return $found;
    }

    /** @return non-empty-list<int> */
    private function blockingWorkers(): array
    {
        return $this->bench->options->quick() ? self::BLOCKING_WORKERS_QUICK : self::BLOCKING_WORKERS;
    }
}
