<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

use Weft\Bench\Metric;
use Weft\Bench\Noise;
use Weft\Bench\Row;
use Weft\Bench\Run;
use Weft\Bench\Stats;

/** What stands in one place of a table: a figure, what to doubt it by, and how it compares. */
final class Cell
{
    public const GOOD = 'good';
    public const BAD = 'bad';

    public function __construct(public readonly string $text, public readonly string $doubt = '', public readonly string $ratio = '', public readonly string $mood = '')
    {
    }

    public static function of(Run $run, Row $row, string $key): self
    {
        $rounds = $row->metrics[$key] ?? [];
        if ($rounds === []) {
            return new self('–');
        }
        $met = $run->meets($row, $key);
        $text = self::figure($key, Stats::median($rounds)) . ($met === null ? '' : ($met ? ' ✓' : ' ✗'));
        $ratio = $run->ratio($row, $key);
        if ($ratio === null) {
            return new self($text, self::doubt($rounds));
        }
        $apart = Noise::exceeded($rounds, $run->against($row, $key)->metrics[$key] ?? []) === true && Metric::better($key) !== Metric::NEITHER;
        $mood = $apart ? (($ratio > 1) === (Metric::better($key) === Metric::HIGHER) ? self::GOOD : self::BAD) : '';

        return new self($text, self::doubt($rounds), Stats::times($ratio), $mood);
    }

    public static function figure(string $key, float $value): string
    {
        // A count of 3 is 3, not 3.00.
        return Metric::unit($key) === '' && $value === floor($value) ? number_format($value, 0, '.', ' ') : Stats::format($value);
    }

    /**
     * "±6 %": half the distance between the extremes of the rounds. Nothing when there is only one.
     *
     * @param list<float> $rounds
     */
    public static function doubt(array $rounds): string
    {
        return count($rounds) < 2 || Stats::median($rounds) === 0.0 ? '' : sprintf('±%.0f %%', 50 * Stats::spread($rounds));
    }

    public function plain(): string
    {
        return implode(' ', array_filter([$this->text, $this->doubt, $this->ratio === '' ? '' : "($this->ratio)"], static fn (string $part): bool => $part !== ''));
    }
}
