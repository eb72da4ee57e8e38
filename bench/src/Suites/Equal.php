<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Page;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Stats;
use Weft\Bench\Suite;

/** /bench where the arms get the same of something else than workers. */
final class Equal extends Suite
{
    public const TITLE = 'At equal means';
    public const ABOUT = '/bench at peak with as many database connections for each arm, with as much memory, and how many blocking workers it takes to match one Weft worker.';
    public const ARMS = ['weft', 'fpm', 'octane-swoole'];
    public const WORKLOADS = ['/bench'];

    private const DATABASE_CONNECTIONS = 8;
    private const BLOCKING_WORKERS = [2, 4, 8, 16, 32];
    private const BLOCKING_WORKERS_QUICK = [8];

    /** Many workers are slow to start and to load. */
    private const MOST_ROUNDS = 2;

    /** Enough for the largest number of workers, twice. */
    private const CLIENTS = 64;

    /** So near counts as reached: what two runs of the same differ by. */
    private const REACHED = 0.95;

    /** @var array<string, array<int, list<Sample>>> of all rounds, by arm and workers, where each has its own connections */
    private array $samples = [];

    public function rounds(): int
    {
        return (int) min(self::MOST_ROUNDS, $this->bench->options->get('rounds'));
    }

    public function round(int $number): void
    {
        $arms = $this->arms($number, $this->of(self::ARMS, ['weft', 'fpm']));
        $connections = self::DATABASE_CONNECTIONS;
        foreach ($arms as $arm) {
            $pool = $arm === 'weft' ? ['-d', "weft.pdo_pool_max=$connections"] : [];
            $this->measure($arm, $arm === 'weft' ? 1 : $connections, ['database_connections' => $connections], $pool, 'equal database connections');
        }
        foreach ($arms as $arm) {
            foreach ($arm === 'weft' ? [1] : $this->of(self::BLOCKING_WORKERS, self::BLOCKING_WORKERS_QUICK) as $workers) {
                $this->measure($arm, $workers);
            }
        }
    }

    /** What all rounds together say decides how many workers an arm gets. */
    public function finish(): void
    {
        $weft = $this->samples['weft'][1] ?? [];
        foreach ($weft === [] ? [] : $this->samples as $arm => $byWorkers) {
            $fitting = array_filter($byWorkers, static fn (array $samples): bool => $arm === 'weft' || self::median($samples, 'pss_load') <= self::median($weft, 'pss_load'));
            $most = $fitting === [] ? 0 : max(array_keys($fitting));
            foreach ($fitting[$most] ?? [] as $sample) {
                $this->add($arm, '/bench', $this->parameters($most) + ['memory' => "at most Weft's"], $sample, 'equal memory');
            }
            if ($arm !== 'weft' && $byWorkers !== []) {
                $this->tellMatch($arm, $byWorkers, self::median($weft, 'throughput'), $fitting === []);
            }
        }
    }

    /** @param non-empty-array<int, list<Sample>> $byWorkers */
    private function tellMatch(string $arm, array $byWorkers, float $wanted, bool $larger): void
    {
        $matching = array_keys(array_filter($byWorkers, static fn (array $samples): bool => self::median($samples, 'throughput') >= self::REACHED * $wanted));
        $tried = array_keys($byWorkers);
        $marks = [
            ...($matching === [] ? ['not matched by ' . max($tried) . ' workers'] : []),
            ...($larger ? ['takes more memory with ' . min($tried) . ' workers than Weft with 1'] : []),
        ];
        $sample = Sample::measured(['workers_to_match' => (float) ($matching === [] ? max($tried) : min($matching))])->with([], $marks);
        $this->add($arm, 'workers that match one Weft worker', ['tried' => implode(',', $tried)], $sample);
    }

    /**
     * @param array<string, scalar> $more  parameters
     * @param list<string>          $weft
     * @param string|null           $pair  what is equal
     */
    private function measure(string $arm, int $workers, array $more = [], array $weft = [], ?string $pair = null): void
    {
        $this->serve($arm, $workers, $this->bench->stage()->site($this->bench->options->get('delay')), function (Server $server) use ($arm, $workers, $more, $pair): void {
            $page = Page::laravel()['/bench'];
            $this->compareBodies($arm, $server, $page->path);
            $sample = $this->closed($server, $page, $this->clients());
            $this->add($arm, '/bench', $more + $this->parameters($workers), $sample, $pair);
            if ($pair === null) {
                $this->samples[$arm][$workers][] = $sample;
            }
        }, [self::WARM, ...$weft]);
    }

    /** @param list<Sample> $samples */
    private static function median(array $samples, string $metric): float
    {
        return Stats::median(array_map(static fn (Sample $sample): float => $sample->metrics[$metric] ?? 0.0, $samples));
    }

    /** @return array<string, scalar> */
    private function parameters(int $workers): array
    {
        return ['workers' => $workers, 'load' => 'closed', 'concurrency' => $this->clients()];
    }

    private function clients(): int
    {
        return (int) max($this->of(self::CLIENTS, 0), $this->bench->options->get('connections'));
    }
}
