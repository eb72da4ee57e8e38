<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Arm;
use Weft\Bench\Bench;
use Weft\Bench\Load;
use Weft\Bench\Row;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Suite;

/** Constant arrival: how long an answer takes when requests come whether or not the last one was answered. */
final class LatencySuite implements Suite
{
    /** Requests a second of the published comparison, for a machine larger than most. */
    private const MIXED_HELLO = 840;
    private const MIXED_TEST = 360;
    private const BENCH = 1000;

    /** The target rates are scaled so that /bench takes this part of what Weft can do. */
    private const PART_OF_WEFT = 0.8;

    /** Parts of an arm's own capacity: unloaded, and nearly full. */
    private const SHARES = [0.1, 0.8];
    private const SHARE_WORKERS = 1;

    /** What P50 may be when nearly full. */
    private const P50_OF_UNLOADED = 1.3;

    private const CONNECTIONS = 200;
    private const START_SECONDS = 2.0;

    private ?float $scale = null;
    private ?Runner $runner = null;

    public function __construct(private readonly Bench $bench)
    {
    }

    public function name(): string
    {
        return 'latency';
    }

    public function title(): string
    {
        return 'Latency at constant arrival';
    }

    public function about(): string
    {
        return 'Requests come at a fixed rate; the time of each counts from when it was due. All arms get the same rates, then each 10 % and 80 % of its own capacity.';
    }

    public function baseline(): string
    {
        return 'fpm';
    }

    public function arms(): array
    {
        return ['weft', 'fpm', 'octane-swoole', 'octane-frankenphp'];
    }

    public function workloads(): array
    {
        return ['mixed', '/bench'];
    }

    public function rounds(): int
    {
        return $this->bench->options->rounds;
    }

    public function seconds(): float
    {
        $each = 1.4 * $this->bench->options->duration + 2.5;

        return count($this->bench->arms($this->arms(), 1)) * ($this->bench->options->quick() ? self::START_SECONDS + 2 * $each : 2 * self::START_SECONDS + 5 * $each);
    }

    public function prepare(): void
    {
        $this->scale = $this->bench->options->scale;
    }

    public function round(int $number): void
    {
        $workers = $this->bench->machine->cores;
        foreach ($this->scale === null ? $this->bench->arms(['weft'], 1) : [] as $weft) {
            $this->runner()->with($weft, $workers, [], function (Server $server): void {
                $this->scale = self::PART_OF_WEFT * $this->capacity($server) / self::BENCH;
            });
        }
        $this->scale ??= 0.02;
        $this->bench->result->setting('scale_of_target_rates', (float) sprintf('%.3g', $this->scale));
        $this->bench->console->say(sprintf('latency: target rates times %.3g', $this->scale));
        foreach ($this->bench->arms($this->arms(), $number) as $arm) {
            $this->bench->console->say("latency: {$arm->title()}");
            $this->runner()->with($arm, $workers, [], fn (Server $server) => $this->atTargetRates($arm, $workers, $server));
            if (!$this->bench->options->quick()) {
                $this->runner()->with($arm, self::SHARE_WORKERS, [], fn (Server $server) => $this->atShares($arm, $server));
            }
        }
    }

    public function finish(): void
    {
    }

    private function atTargetRates(Arm $arm, int $workers, Server $server): void
    {
        [$hello, $test, $bench] = [Routes::kind('/hello'), Routes::kind('/test'), Routes::kind('/bench')];
        foreach ([$hello, $test, $bench] as [, $path]) {
            $this->runner()->compareBodies($arm->name(), $server, $path);
        }
        $loads = [
            'mixed' => [self::MIXED_HELLO + self::MIXED_TEST, [[self::MIXED_HELLO, $hello[1], $hello[2]], [self::MIXED_TEST, $test[1], $test[2]]]],
            '/bench' => [self::BENCH, [$bench]],
        ];
        foreach ($loads as $workload => [$rate, $kinds]) {
            if ($this->bench->options->wants($workload)) {
                $this->measure($arm, $workload, $server, $kinds, $rate * (float) $this->scale, ['workers' => $workers, 'rate_scaled_from' => $rate]);
            }
        }
    }

    private function atShares(Arm $arm, Server $server): void
    {
        if (!$this->bench->options->wants('/bench')) {
            return;
        }
        $capacity = $this->capacity($server);
        $unloaded = null;
        foreach (self::SHARES as $share) {
            $parameters = ['workers' => self::SHARE_WORKERS, 'share_of_capacity' => $share];
            $row = $this->measure($arm, '/bench', $server, [Routes::kind('/bench')], $share * $capacity, $parameters, $unloaded);
            $unloaded = $row?->median('p50');
        }
    }

    /**
     * @param list<array{int, string, string}> $kinds
     * @param array<string, scalar>            $parameters
     * @param float|null                       $unloaded   P50 when there is nobody else
     */
    private function measure(Arm $arm, string $workload, Server $server, array $kinds, float $rate, array $parameters, ?float $unloaded = null): ?Row
    {
        $row = null;
        $this->runner()->try($arm->name(), $workload, $server, function () use ($arm, $workload, $server, $kinds, $rate, $parameters, $unloaded, &$row): void {
            // Few arrivals say little about P99: a slow arm is given more time.
            $seconds = max($this->bench->options->duration, min(3 * $this->bench->options->duration, 40 / $rate));
            $sample = Sample::take($this->bench->workspace, $server, Load::open($kinds, $rate, self::CONNECTIONS, $seconds), $this->bench->stage()->database);
            $more = ['rate' => $rate] + ($unloaded === null ? [] : ['unloaded_p50' => $unloaded]);
            $row = $this->runner()->add($arm->name(), $workload, ['load' => 'open'] + $parameters, $sample->with($more));
            if ($unloaded !== null && $arm->name() === 'weft') {
                $row->target('p50', self::P50_OF_UNLOADED * $unloaded);
            }
        });

        return $row;
    }

    private function capacity(Server $server): float
    {
        [, $path, $needle] = Routes::kind('/bench');
        $load = Load::closed($path, $needle, $this->bench->options->connections, 1.5 * $this->bench->options->duration);

        return max(1.0, Sample::take($this->bench->workspace, $server, $load)->metrics['throughput'] ?? 0.0);
    }

    private function runner(): Runner
    {
        return $this->runner ??= new Runner($this->bench, $this->name(), $this->bench->options->delay);
    }
}
