<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Arm;
use Weft\Bench\Bench;
use Weft\Bench\Load;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Suite;

/** Laravel and the database: each arm at peak, by number of workers. */
final class DatabaseSuite implements Suite
{
    private const START_SECONDS = 2.0;

    /** Until a queue is full, and until it is empty again. */
    private const QUEUE_SECONDS = 1.5;

    /** Measured with one number of workers only: to show what OPcache does. */
    private const ONCE = 'fpm-no-opcache';

    /** /bench at equal workers, against the baseline. */
    private const TARGET = 5.4;

    public function __construct(private readonly Bench $bench)
    {
    }

    public function name(): string
    {
        return 'database';
    }

    public function title(): string
    {
        return 'Laravel and the database';
    }

    public function about(): string
    {
        return 'The example application at peak, by number of workers: as many connections as given, each of which sends its next request when it has its answer.';
    }

    public function baseline(): string
    {
        return 'fpm';
    }

    public function arms(): array
    {
        return Routes::LARAVEL_ARMS;
    }

    public function workloads(): array
    {
        return array_keys(Routes::DATABASE);
    }

    public function rounds(): int
    {
        return $this->bench->options->rounds;
    }

    public function seconds(): float
    {
        $o = $this->bench->options;
        $each = self::START_SECONDS + count($this->wanted()) * (1.4 * $o->duration + self::QUEUE_SECONDS);

        $arms = count($this->bench->arms(array_values(array_diff($this->arms(), [self::ONCE])), 1));
        $once = $o->quick() ? 0 : count($this->bench->arms([self::ONCE], 1));

        return (count($o->workers) * $arms + $once) * $each;
    }

    public function prepare(): void
    {
        $this->bench->stage()->env($this->bench->options->delay);
    }

    public function round(int $number): void
    {
        foreach ($this->bench->options->workers as $workers) {
            foreach ($this->bench->arms($this->arms(), $number) as $arm) {
                if ($arm->name() === self::ONCE && ($workers !== $this->bench->options->workers[0] || $this->bench->options->quick())) {
                    continue;
                }
                $this->bench->console->say("database: {$arm->title()}, $workers worker" . ($workers > 1 ? 's' : ''));
                $this->measure($arm, $workers);
            }
        }
    }

    public function finish(): void
    {
    }

    private function measure(Arm $arm, int $workers): void
    {
        $runner = new Runner($this->bench, $this->name(), $this->bench->options->delay);
        $runner->with($arm, $workers, [], function (Server $server) use ($runner, $arm, $workers): void {
            foreach ($this->wanted() as $name => [$path, $needle, $queries]) {
                $runner->try($arm->name(), $name, $server, function () use ($runner, $arm, $workers, $server, $name, $path, $needle, $queries): void {
                    $runner->compareBodies($arm->name(), $server, $path);
                    $o = $this->bench->options;
                    $sample = Sample::take($this->bench->workspace, $server, Load::closed($path, $needle, $o->connections, $o->duration), $this->bench->stage()->database);
                    $heap = Runner::heap($server, $path);
                    $sample = $heap === null ? $sample : $sample->with(['heap' => $heap]);
                    $row = $runner->add($arm->name(), $name, ['load' => 'closed', 'workers' => $workers, 'queries' => $queries, 'concurrency' => $o->connections], $sample);
                    if ($arm->name() === 'weft' && $name === '/bench') {
                        $row->target('throughput', null, self::TARGET);
                    }
                });
            }
        });
    }

    /** @return array<string, array{string, string, int}> */
    private function wanted(): array
    {
        $wanted = array_filter(Routes::DATABASE, $this->bench->options->wants(...), ARRAY_FILTER_USE_KEY);

        return $this->bench->options->quick() && count($wanted) === count(Routes::DATABASE) ? array_diff_key($wanted, ['/bench?n=5' => 0]) : $wanted;
    }
}
