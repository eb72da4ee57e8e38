<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

use Weft\Bench\Stats;

/** Draws a chart without any library: what a reader sees where scripts don't run or the library could not be had. */
final class Svg
{
    private const WIDTH = 480;
    private const HEIGHT = 260;
    private const LEFT = 56;
    private const RIGHT = 12;
    private const TOP = 14;
    private const BOTTOM = 40;
    private const BAR = 22;

    /** Corners of the symbols, so that series differ by more than their colour. The first is a circle. */
    private const SYMBOLS = [
        [], [[-1, -1], [1, -1], [1, 1], [-1, 1]], [[0, -1.2], [1.2, 1], [-1.2, 1]], [[0, -1.4], [1.1, 0], [0, 1.4], [-1.1, 0]],
        [[-1.3, -.5], [-.5, -.5], [-.5, -1.3], [.5, -1.3], [.5, -.5], [1.3, -.5], [1.3, .5], [.5, .5], [.5, 1.3], [-.5, 1.3], [-.5, .5], [-1.3, .5]],
        [[0, -1.5], [.4, -.5], [1.4, -.5], [.6, .2], [.9, 1.2], [0, .6], [-.9, 1.2], [-.6, .2], [-1.4, -.5], [-.4, -.5]],
    ];

    /** So many colours has the style sheet. */
    public const COLOURS = 8;

    public static function draw(Chart $chart): string
    {
        return $chart->kind === Chart::BARS ? self::bars($chart) : self::lines($chart);
    }

    public static function symbol(int $rank, float $x, float $y, float $size): string
    {
        $corners = self::SYMBOLS[$rank % count(self::SYMBOLS)];
        $class = self::colour($rank);
        if ($corners === []) {
            return sprintf('<circle class="%s" cx="%.1f" cy="%.1f" r="%.1f"/>', $class, $x, $y, $size);
        }
        $points = implode(' ', array_map(static fn (array $corner): string => sprintf('%.1f,%.1f', $x + $size * $corner[0], $y + $size * $corner[1]), $corners));

        return "<polygon class=\"$class\" points=\"$points\"/>";
    }

    public static function swatch(int $rank): string
    {
        return '<rect class="' . self::colour($rank) . '" x="1" y="1" width="10" height="10"/>';
    }

    public static function colour(int $rank): string
    {
        return 'c' . $rank % self::COLOURS;
    }

    private static function lines(Chart $chart): string
    {
        $xs = array_map(static fn (float $x): float => self::place($x, $chart->xScale), array_column($chart->points, 'x'));
        $ys = array_map(static fn (float $y): float => self::place($y, $chart->yScale), [...array_column($chart->points, 'high'), ...array_column($chart->points, 'low')]);
        if ($xs === [] || $ys === []) {
            return '';
        }
        $x = self::scale(min($xs), max($xs), self::LEFT + 8, self::WIDTH - self::RIGHT - 8);
        $y = self::scale($chart->yScale === Chart::LOG ? min($ys) : min(0.0, ...$ys), max($ys), self::HEIGHT - self::BOTTOM, self::TOP);
        $body = self::grid($chart, $x, $y, min($xs), max($xs), max($ys));
        foreach ($chart->series as $index => $series) {
            $path = [];
            $marks = '';
            foreach ($chart->points as $point) {
                if ($point['series'] === $index) {
                    $left = $x(self::place($point['x'], $chart->xScale));
                    $top = $y(self::place($point['y'], $chart->yScale));
                    $path[] = sprintf('%.1f,%.1f', $left, $top);
                    $marks .= $series['dashed'] ? '' : self::symbol($series['rank'], $left, $top, 3.5);
                }
            }
            $body .= sprintf('<polyline class="line %s%s" points="%s"/>%s', self::colour($series['rank']), $series['dashed'] ? ' dashed' : '', implode(' ', $path), $marks);
        }

        return self::svg($chart, self::HEIGHT, $body);
    }

    /**
     * @param \Closure(float): float $x
     * @param \Closure(float): float $y
     */
    private static function grid(Chart $chart, \Closure $x, \Closure $y, float $left, float $right, float $top): string
    {
        $body = '';
        $steps = $chart->yScale === Chart::LOG ? array_map(static fn (int $e): float => (float) $e, range((int) floor($top) - 3, (int) floor($top))) : self::steps(0.0, $top);
        foreach ($steps as $value) {
            $at = $y($value);
            $label = Chart::number($chart->yScale === Chart::LOG ? 10 ** $value : $value);
            if ($at >= self::TOP - 1 && $at <= self::HEIGHT - self::BOTTOM + 1) {
                $body .= sprintf('<line class="grid" x1="%d" x2="%d" y1="%.1f" y2="%.1f"/>', self::LEFT, self::WIDTH - self::RIGHT, $at, $at);
                $body .= sprintf('<text x="%d" y="%.1f" text-anchor="end">%s</text>', self::LEFT - 6, $at + 4, $label);
            }
        }
        $labels = match ($chart->xScale) {
            Chart::PERCENTILE => [50.0, 90.0, 99.0, 99.9, 99.99],
            default => array_values(array_unique(array_column($chart->points, 'x'))),
        };
        $used = -100.0;
        foreach ($labels as $value) {
            $place = self::place($value, $chart->xScale);
            if ($place >= $left - 1e-9 && $place <= $right + 1e-9 && $x($place) - $used > 34) {
                $used = $x($place);
                $body .= sprintf('<text x="%.1f" y="%d" text-anchor="middle">%s</text>', $used, self::HEIGHT - self::BOTTOM + 16, Chart::number(round($value, 2)));
            }
        }

        return $body . sprintf('<text x="%d" y="%d" text-anchor="end">%s</text>', self::WIDTH - self::RIGHT, self::HEIGHT - 6, self::escape($chart->xLabel));
    }

    private static function bars(Chart $chart): string
    {
        $most = max(0.000001, ...array_column($chart->bars, 'to'));
        $left = 150;
        $x = self::scale(0.0, $most, $left, self::WIDTH - 60);
        $body = '';
        $seen = [];
        $lane = 0;
        $places = [];
        foreach ($chart->bars as $bar) {
            // A bar that begins where another of its label ends lies in the same lane.
            $key = $bar['from'] > 0.0 ? $bar['label'] : "$bar[label]\0$bar[series]";
            $places[$key] ??= $places[$bar['label']] ?? $lane++;
            $places[$bar['label']] ??= $places[$key];
            $top = self::TOP + $places[$key] * self::BAR;
            $body .= sprintf(
                '<rect class="%s" x="%.1f" y="%d" width="%.1f" height="%d"/>',
                self::colour($chart->series[$bar['series']]['rank']),
                $x($bar['from']),
                $top + 3,
                max(1.0, $x($bar['to']) - $x($bar['from'])),
                self::BAR - 6,
            );
            if (!isset($seen[$bar['label']])) {
                $seen[$bar['label']] = true;
                $body .= sprintf('<text x="%d" y="%d" text-anchor="end">%s</text>', $left - 6, $top + 15, self::escape(mb_strimwidth($bar['label'], 0, 26, '…')));
            }
            $body .= sprintf('<text x="%.1f" y="%d">%s</text>', $x($bar['to']) + 4, $top + 15, Stats::format($bar['to']));
        }
        $height = self::TOP + $lane * self::BAR + 26;

        return self::svg($chart, $height, $body . sprintf('<text x="%d" y="%d" text-anchor="end">%s</text>', self::WIDTH - self::RIGHT, $height - 6, self::escape($chart->xLabel)));
    }

    private static function svg(Chart $chart, int $height, string $body): string
    {
        return sprintf('<svg viewBox="0 0 %d %d" role="img" aria-label="%s">%s</svg>', self::WIDTH, $height, self::escape($chart->alternative()), $body);
    }

    private static function place(float $value, string $scale): float
    {
        return match ($scale) {
            Chart::LOG => log10(max($value, 1e-9)),
            Chart::PERCENTILE => -log10(max(1e-6, 1 - $value / 100)),
            default => $value,
        };
    }

    /** @return \Closure(float): float */
    private static function scale(float $from, float $to, float $start, float $end): \Closure
    {
        $length = $to === $from ? 1.0 : $to - $from;

        return static fn (float $value): float => $start + ($value - $from) / $length * ($end - $start);
    }

    /** @return list<float> about five round numbers */
    private static function steps(float $from, float $to): array
    {
        $rough = max(1e-9, ($to - $from) / 5);
        $magnitude = 10 ** floor(log10($rough));
        $step = $magnitude * match (true) {
            $rough / $magnitude <= 1 => 1,
            $rough / $magnitude <= 2 => 2,
            $rough / $magnitude <= 5 => 5,
            default => 10,
        };
        $steps = [];
        for ($value = $from; $value <= $to + $step / 1000; $value += $step) {
            $steps[] = (float) $value;
        }

        return $steps;
    }

    private static function escape(string $text): string
    {
        return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE);
    }
}
