<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Page;
use Weft\Bench\Row;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Suite;

/** Constant arrival: how long an answer takes when requests come whether or not the last one was answered. */
final class Latency extends Suite
{
    public const TITLE = 'Latency at constant arrival';
    public const ABOUT = 'Requests come at a fixed rate; the time of each counts from when it was due. All arms get the same rates, then each 10 % and 80 % of its own capacity.';
    public const ARMS = ['weft', 'fpm', 'octane-swoole', 'octane-frankenphp'];
    public const WORKLOADS = ['mixed', '/bench'];

    /** Requests a second for a machine larger than most: 840 /hello and 360 /test, and 1,000 /bench. */
    private const MIXED = ['/hello' => 840, '/test' => 360];
    private const BENCH = ['/bench' => 1000];

    /** The target rates are scaled so that /bench takes this part of what Weft can do. */
    private const PART_OF_WEFT = 0.8;

    /** Parts of an arm's own capacity: unloaded, and nearly full; and what P50 may be then. */
    private const SHARES = [0.1, 0.8];
    private const P50_OF_UNLOADED = 1.3;

    private const CONNECTIONS = 200;

    private ?float $scale = null;

    public function rounds(): int
    {
        return (int) $this->bench->options->get('rounds');
    }

    public function round(int $number): void
    {
        $options = $this->bench->options;
        $workers = $this->bench->cores;
        $site = $this->bench->stage()->site($options->get('delay'));
        $this->scale ??= $options->has('scale') ? $options->get('scale') : null;
        foreach ($this->scale === null ? $this->arms(1, ['weft']) : [] as $weft) {
            $this->serve($weft, $workers, $site, function (Server $server): void {
                $this->scale = self::PART_OF_WEFT * $this->capacity($server) / array_sum(self::BENCH);
            }, [self::WARM]);
        }
        $this->scale ??= 0.02;
        $this->bench->run->settings['scale of the target rates'] = sprintf('%.3g', $this->scale);
        foreach ($this->arms($number) as $arm) {
            $this->serve($arm, $workers, $site, fn (Server $server) => $this->atTargetRates($arm, $workers, $server), [self::WARM]);
            if (!$options->quick && $options->wants('/bench')) {
                $this->serve($arm, 1, $site, fn (Server $server) => $this->atShares($arm, $server), [self::WARM]);
            }
        }
    }

    private function atTargetRates(string $arm, int $workers, Server $server): void
    {
        foreach (array_filter(['mixed' => self::MIXED, '/bench' => self::BENCH], $this->bench->options->wants(...), ARRAY_FILTER_USE_KEY) as $workload => $rates) {
            $this->measure($arm, $workload, $server, $rates, array_sum($rates) * (float) $this->scale, ['workers' => $workers, 'rate_scaled_from' => array_sum($rates)]);
        }
    }

    private function atShares(string $arm, Server $server): void
    {
        $capacity = $this->capacity($server);
        $unloaded = null;
        foreach (self::SHARES as $share) {
            $row = $this->measure($arm, '/bench', $server, self::BENCH, $share * $capacity, ['workers' => 1, 'share_of_capacity' => $share], $unloaded);
            $unloaded = $row?->median('p50');
        }
    }

    /**
     * @param array<string, int>    $rates      how often each page is asked for, against the others
     * @param array<string, scalar> $parameters
     * @param float|null            $unloaded   P50 when there is nobody else
     */
    private function measure(string $arm, string $workload, Server $server, array $rates, float $rate, array $parameters, ?float $unloaded = null): ?Row
    {
        $row = null;
        $this->attempt($arm, $workload, function () use ($arm, $workload, $server, $rates, $rate, $parameters, $unloaded, &$row): void {
            $script = '';
            foreach ($rates as $name => $weight) {
                $page = Page::laravel()[$name]->timed();
                $this->compareBodies($arm, $server, $page->path);
                $script .= $page->line($weight);
            }
            // Few arrivals say little about P99: a slow arm is given more time.
            $duration = $this->bench->options->get('duration');
            $seconds = max($duration, min(3 * $duration, 40 / $rate));
            $sample = Sample::open($this->bench->workspace, $server, $script, self::CONNECTIONS, $rate, $seconds, $this->bench->stage()->database);
            $row = $this->add($arm, $workload, ['load' => 'open'] + $parameters, $sample->with(['rate' => $rate] + ($unloaded === null ? [] : ['unloaded_p50' => $unloaded])));
            if ($unloaded !== null && $arm === 'weft') {
                $row->target('p50', 'value', self::P50_OF_UNLOADED * $unloaded);
            }
        });

        return $row;
    }

    private function capacity(Server $server): float
    {
        $options = $this->bench->options;
        $sample = Sample::closed($this->bench->workspace, $server, Page::laravel()['/bench']->timed(), (int) $options->get('connections'), 1.5 * $options->get('duration'));

        return max(1.0, $sample->metrics['throughput']);
    }
}
