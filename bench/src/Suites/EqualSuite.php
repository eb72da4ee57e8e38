<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Arm;
use Weft\Bench\Bench;
use Weft\Bench\Load;
use Weft\Bench\Row;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Stats;
use Weft\Bench\Suite;

/** /bench where the arms get the same of something else than workers. */
final class EqualSuite implements Suite
{
    private const WORKLOAD = '/bench';
    private const DATABASE_CONNECTIONS = 8;
    private const BLOCKING_WORKERS = [2, 4, 8, 16, 32];
    private const BLOCKING_WORKERS_QUICK = [8];
    /** Many workers are slow to start and to load. */
    private const MOST_ROUNDS = 2;

    /** Enough for the largest number of workers, twice. */
    private const CONNECTIONS = 64;

    private const START_SECONDS = 2.0;

    /** So near counts as reached: what two runs of the same differ by. */
    private const REACHED = 0.95;

    /** With one Weft worker, this many blocking ones are to be compared. */
    private const WEFT_WORKERS = 1;

    private ?Runner $runner = null;

    /** @var array<string, non-empty-array<int, non-empty-list<Sample>>> of all rounds, by arm and workers, where each has its own connections */
    private array $samples = [];

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
            $weft = $arm->name() === 'weft';
            $parameters = ['database_connections' => $connections];
            $this->measure($arm, $weft ? self::WEFT_WORKERS : $connections, $parameters, $weft ? ['-d', "weft.pdo_pool_max=$connections"] : [])?->pair('equal database connections');
        }
        foreach ($this->bench->arms($this->arms(), $number) as $arm) {
            foreach ($arm->name() === 'weft' ? [self::WEFT_WORKERS] : $this->blockingWorkers() as $workers) {
                $this->measure($arm, $workers, []);
            }
        }
    }

    /** What all rounds together say decides how many workers an arm gets. */
    public function finish(): void
    {
        $weft = $this->samples['weft'][self::WEFT_WORKERS] ?? [];
        if ($weft === []) {
            return;
        }
        $memory = self::median($weft, 'pss_load');
        foreach ($this->samples as $arm => $byWorkers) {
            $workers = 0;
            foreach ($byWorkers as $count => $samples) {
                $workers = $arm === 'weft' || self::median($samples, 'pss_load') <= $memory ? max($workers, $count) : $workers;
            }
            foreach ($byWorkers[$workers] ?? [] as $sample) {
                // Of the server that was up last the runner knows the memory at rest, of this one no longer.
                $parameters = $this->parameters($workers, ['memory' => "at most Weft's"]);
                $this->bench->result->add('equal', $arm, self::WORKLOAD, $parameters, $sample->metrics, $sample->distribution, $sample->marks)->pair('equal memory');
            }
            if ($arm !== 'weft') {
                $this->tellMatch($arm, $byWorkers, self::median($weft, 'throughput'), $workers === 0);
            }
        }
    }

    /** @param non-empty-array<int, non-empty-list<Sample>> $byWorkers */
    private function tellMatch(string $arm, array $byWorkers, float $wanted, bool $larger): void
    {
        $matching = array_filter($byWorkers, static fn (array $samples): bool => self::median($samples, 'throughput') >= self::REACHED * $wanted);
        $workers = array_keys($byWorkers);
        $marks = [];
        if ($matching === []) {
            $marks[] = 'not matched by ' . max($workers) . ' workers';
        }
        if ($larger) {
            $marks[] = 'takes more memory with ' . min($workers) . ' workers than Weft with ' . self::WEFT_WORKERS;
        }
        $this->bench->result->add(
            'equal',
            $arm,
            'workers that match one Weft worker',
            ['tried' => implode(',', $workers)],
            ['workers_to_match' => (float) ($matching === [] ? max($workers) : min(array_keys($matching)))],
            null,
            $marks,
        );
    }

    /** @param non-empty-list<Sample> $samples */
    private static function median(array $samples, string $metric): float
    {
        return Stats::median(array_map(static fn (Sample $sample): float => $sample->metrics[$metric] ?? 0.0, $samples));
    }

    /**
     * @param array<string, scalar> $parameters
     * @param list<string>          $weft
     */
    private function measure(Arm $arm, int $workers, array $parameters, array $weft = []): ?Row
    {
        $row = null;
        $this->bench->console->say("equal: {$arm->title()}, $workers worker" . ($workers > 1 ? 's' : ''));
        $this->runner()->with($arm, $workers, $weft, function (Server $server) use ($arm, $workers, $parameters, &$row): void {
            [$path, $needle] = Routes::DATABASE[self::WORKLOAD];
            $this->runner()->compareBodies($arm->name(), $server, $path);
            $load = Load::closed($path, $needle, $this->connections(), $this->bench->options->duration);
            $sample = Sample::take($this->bench->workspace, $server, $load, $this->bench->stage()->database);
            $row = $this->runner()->add($arm->name(), self::WORKLOAD, $this->parameters($workers, $parameters), $sample);
            if ($parameters === []) {
                $this->samples[$arm->name()][$workers][] = $sample;
            }
        });

        return $row;
    }

    /**
     * @param array<string, scalar> $more
     *
     * @return array<string, scalar>
     */
    private function parameters(int $workers, array $more): array
    {
        return $more + ['workers' => $workers, 'load' => 'closed', 'concurrency' => $this->connections(), 'latency_ms' => $this->bench->options->delay];
    }

    private function connections(): int
    {
        $o = $this->bench->options;

        return max($o->quick() ? 0 : self::CONNECTIONS, $o->connections);
    }

    private function runner(): Runner
    {
        return $this->runner ??= new Runner($this->bench, $this->name(), $this->bench->options->delay);
    }

    /** @return non-empty-list<int> */
    private function blockingWorkers(): array
    {
        return $this->bench->options->quick() ? self::BLOCKING_WORKERS_QUICK : self::BLOCKING_WORKERS;
    }
}
