<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

/** A figure beside that of its baseline. */
final class Compared
{
    /** How many times better it is, whichever direction is better. */
    public readonly float $factor;

    /** Whether the difference is more than noise; null when that can't be told. */
    public readonly ?bool $apart;

    private function __construct(
        public readonly Row $row,
        public readonly string $baseline,
        public readonly Metric $metric,
        public readonly Metric $against,
        public readonly float $ratio,
    ) {
        $this->factor = $metric->better === Metric::LOWER ? 1 / $ratio : $ratio;
        $this->apart = Noise::exceeded($metric->rounds, $against->rounds);
    }

    public static function of(Suite $suite, Row $row, string $key): ?self
    {
        return self::between($row, $suite->baselineOf($row), $key);
    }

    public static function between(Row $row, ?Row $other, string $key): ?self
    {
        $metric = $row->metrics[$key] ?? null;
        $against = $row->isGiven($key) ? null : $other?->metrics[$key] ?? null;
        $ratio = $metric?->ratioTo($against);

        return $other === null || $metric === null || $against === null || $ratio === null || $ratio <= 0.0
            ? null
            : new self($row, $other->arm, $metric, $against, $ratio);
    }

    /** @param list<string> $parameters those to be named */
    public function at(array $parameters, bool $workload): string
    {
        $named = array_intersect_key($this->row->parameters, array_flip($parameters));
        $parts = [...($workload ? ["`{$this->row->workload}`"] : []), ...array_map(Row::parameter(...), array_keys($named), $named)];
        $where = implode(', ', $parts);

        return Cell::times($this->ratio) . ($where === '' ? '' : " ($where)");
    }
}
