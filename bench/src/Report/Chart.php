<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

use Weft\Bench\Stats;

/**
 * What a chart shows, without saying how: the browser's library and the plain SVG draw the same description.
 * `lines` has points with x and y; `bars` has bars from one value to another, each with a label.
 */
final class Chart implements \JsonSerializable
{
    public const LINES = 'lines';
    public const BARS = 'bars';

    public const LINEAR = 'linear';
    public const LOG = 'log';
    /** 90, 99 and 99.9 % are equally far apart. */
    public const PERCENTILE = 'percentile';

    /**
     * @param list<array{name: string, rank: int, dashed: bool}>                                                    $series
     * @param list<array{series: int, x: float, y: float, low: float, high: float}>                                 $points
     * @param list<array{series: int, label: string, from: float, to: float, low: float, high: float}>              $bars
     */
    private function __construct(
        public readonly string $kind,
        public readonly string $title,
        public readonly string $xLabel,
        public readonly string $xScale,
        public readonly string $yLabel,
        public readonly string $yScale,
        public readonly array $series,
        public readonly array $points,
        public readonly array $bars,
    ) {
    }

    /**
     * @param list<array{name: string, rank: int, dashed: bool}>                    $series
     * @param list<array{series: int, x: float, y: float, low: float, high: float}> $points
     */
    public static function lines(string $title, string $xLabel, string $xScale, string $yLabel, array $series, array $points): self
    {
        $values = array_column($points, 'y');
        $log = $xScale !== self::LINEAR && $values !== [] && min($values) > 0.0 && max($values) / min($values) > 50;

        return new self(self::LINES, $title, $xLabel, $xScale, $yLabel, $log ? self::LOG : self::LINEAR, $series, $points, []);
    }

    /**
     * @param list<array{name: string, rank: int, dashed: bool}>                                       $series
     * @param list<array{series: int, label: string, from: float, to: float, low: float, high: float}> $bars
     */
    public static function bars(string $title, string $xLabel, array $series, array $bars): self
    {
        return new self(self::BARS, $title, $xLabel, self::LINEAR, '', self::LINEAR, $series, [], $bars);
    }

    /** For who can't see the chart: what is in it, and how far it reaches. */
    public function alternative(): string
    {
        $names = implode(', ', array_column($this->series, 'name'));
        if ($this->kind === self::BARS) {
            return "Bar chart. {$this->title}. In $this->xLabel: $names. The figures follow as a table.";
        }
        $parts = [];
        foreach ($this->series as $index => $series) {
            $own = array_values(array_filter($this->points, static fn (array $point): bool => $point['series'] === $index));
            if ($own !== []) {
                $first = $own[0];
                $last = $own[count($own) - 1];
                $parts[] = sprintf(
                    '%s from %s at %s to %s at %s',
                    $series['name'],
                    Stats::format($first['y']),
                    self::number($first['x']),
                    Stats::format($last['y']),
                    self::number($last['x']),
                );
            }
        }

        return "Line chart. {$this->title}. $this->yLabel against $this->xLabel: " . implode('; ', $parts) . '. The figures follow as a table.';
    }

    /** The same figures as a table. */
    public function table(): Table
    {
        if ($this->kind === self::BARS) {
            return new Table($this->title, ['', 'series', $this->xLabel], array_map(fn (array $bar): array => [
                new Cell($bar['label']), new Cell($this->series[$bar['series']]['name']),
                new Cell($bar['from'] === 0.0 ? Stats::format($bar['to']) : Stats::format($bar['from']) . ' to ' . Stats::format($bar['to'])),
            ], $this->bars), 2);
        }
        $grid = [];
        foreach ($this->points as $point) {
            $grid[self::number($point['x'])][$point['series']] = new Cell(Stats::format($point['y']));
        }
        uksort($grid, static fn (int|string $a, int|string $b): int => (float) $a <=> (float) $b);
        $rows = [];
        foreach ($grid as $x => $cells) {
            $rows[] = [new Cell((string) $x), ...array_map(static fn (int $index): Cell => $cells[$index] ?? new Cell('–'), array_keys($this->series))];
        }

        return new Table("$this->title, $this->yLabel", [$this->xLabel, ...array_column($this->series, 'name')], $rows, 1);
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        return [
            'kind' => $this->kind, 'title' => $this->title, 'alternative' => $this->alternative(),
            'x' => ['label' => $this->xLabel, 'scale' => $this->xScale], 'y' => ['label' => $this->yLabel, 'scale' => $this->yScale],
            'series' => $this->series, 'points' => $this->points, 'bars' => $this->bars,
        ];
    }

    public static function number(float $value): string
    {
        return rtrim(rtrim(sprintf('%.4f', $value), '0'), '.');
    }
}
