<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Page;
use Weft\Bench\Row;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Suite;

/** Nearly as much as the server can do, and far more: whether it stays in order. */
final class Flood extends Suite
{
    public const TITLE = 'Under flood';
    public const ABOUT = '/bench with as many workers as processors, and with twice as many: what they can do when each of many connections sends its next request '
        . 'when it has its answer; then requests at a fixed rate, 80 % of that, and three times as much. P50 and P99 of those served leave out who was told 503.';
    public const WORKLOADS = ['peak', 'nearly full', 'flood'];

    private const NEARLY = 0.8;
    private const NEARLY_CONNECTIONS = 200;
    private const NEARLY_P99_OF_P50 = 2.0;

    private const TIMES = 3.0;
    private const FLOOD_CONNECTIONS = 3000;
    private const FLOOD_SECONDS = 60.0;
    private const FLOOD_SECONDS_QUICK = 15.0;
    /** The burst that is let in before a line counts as standing, and what it takes until that has passed: see bench/overload. */
    private const BURST_SECONDS = 45.0;
    private const FLOOD_P99_OF_P50 = 1.5;
    private const FLOOD_OF_PEAK = 0.95;

    /** @var array<int, Row> the floods by workers */
    private array $floods = [];

    public function rounds(): int
    {
        return (int) $this->bench->options->get('rounds');
    }

    public function round(int $number): void
    {
        $site = $this->bench->stage()->site($this->bench->options->get('delay'));
        foreach ($this->arms($number) as $arm) {
            foreach ([$this->bench->cores, 2 * $this->bench->cores] as $workers) {
                $this->serve($arm, $workers, $site, fn (Server $server) => $this->attempt($arm, '*', fn () => $this->measure($arm, $workers, $server)), [self::WARM]);
            }
        }
    }

    private function measure(string $arm, int $workers, Server $server): void
    {
        $options = $this->bench->options;
        $page = Page::laravel()['/bench'];
        $duration = $options->get('duration');
        $parameters = ['workers' => $workers];
        $peak = Sample::closed($this->bench->workspace, $server, $page, (int) $options->get('connections'), 2 * $duration);
        $this->add($arm, 'peak', $parameters, $peak);
        $capacity = $peak->metrics['throughput'];
        if ($options->wants('nearly full')) {
            $rate = self::NEARLY * $capacity;
            $row = $this->add($arm, 'nearly full', $parameters, $this->open($server, $page, self::NEARLY_CONNECTIONS, $rate, max(5 * $duration, 500 / $rate))
                ->with(['rate' => $rate]));
            $row->target('p99', 'value', self::NEARLY_P99_OF_P50 * ($row->median('p50') ?? 0.0));
        }
        if ($options->wants('flood')) {
            $seconds = $this->of(self::FLOOD_SECONDS, self::FLOOD_SECONDS_QUICK);
            $row = $this->add($arm, 'flood', $parameters, $this->open($server, $page, self::FLOOD_CONNECTIONS, self::TIMES * $capacity, $seconds, self::BURST_SECONDS)
                ->with(['peak' => $capacity, 'rate' => self::TIMES * $capacity]));
            $this->expect($row, $workers);
        }
    }

    /** Of the most that was seen; and more workers are never worse. */
    private function expect(Row $row, int $workers): void
    {
        $this->floods[$workers] = $row;
        $fewer = ($this->floods[$this->bench->cores] ?? $row)->median('throughput') ?? 0.0;
        $row->target('throughput', 'value', max(self::FLOOD_OF_PEAK * ($row->median('peak') ?? 0.0), $workers > $this->bench->cores ? $fewer : 0.0));
        $row->target('served_p99', 'value', self::FLOOD_P99_OF_P50 * ($row->median('served_p50') ?? 0.0));
    }

    private function open(Server $server, Page $page, int $connections, float $rate, float $seconds, float $warmUp = 1.0): Sample
    {
        return Sample::open($this->bench->workspace, $server, $page->line(), $connections, $rate, $seconds, null, $warmUp);
    }
}
