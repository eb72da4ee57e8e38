<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

final class Suite
{
    private const BASELINE = 'fpm';

    /** @var array<string, list<Row>> by arm and setting */
    private readonly array $index;

    /** @param list<Row> $rows */
    private function __construct(
        public readonly string $name,
        public readonly string $title,
        public readonly string $about,
        public readonly string $baseline,
        public readonly array $rows,
    ) {
        $index = [];
        foreach ($rows as $row) {
            $index["$row->arm\0" . $row->setting()][] = $row;
        }
        $this->index = $index;
    }

    public static function read(Field $field): self
    {
        $name = $field->at('name')->text();

        return new self(
            $name,
            $field->at('title')->text($name),
            $field->at('about')->text(''),
            $field->at('baseline')->text(self::BASELINE),
            array_map(Row::read(...), $field->at('rows')->items()),
        );
    }

    /** The row that this one is a multiple of; null when there is none or it is the baseline itself. */
    public function baselineOf(Row $row): ?Row
    {
        return $this->counterpart($row, $row->baseline ?? $this->baseline);
    }

    /** What another arm did at the same setting. */
    public function counterpart(Row $row, string $arm): ?Row
    {
        $rows = $arm === $row->arm ? [] : $this->index["$arm\0" . $row->setting()] ?? [];
        foreach ($rows as $candidate) {
            if (count($rows) === 1 || $candidate->hasParametersOf($row)) {
                return $candidate;
            }
        }

        return null;
    }

    /** What its figures mean, and what multiples in it are multiples of. */
    public function introduction(Run $run): string
    {
        $arms = array_unique(array_map(static fn (Row $row): string => $row->arm, $this->rows));
        $of = in_array($this->baseline, $arms, true) && count($arms) > 1 ? 'In brackets: multiples of ' . $run->armTitle($this->baseline) . '.' : '';

        return trim("$this->about $of");
    }

    /** The baseline's figure, where a multiple of it says something. */
    public function against(Row $row, string $metric): ?Metric
    {
        return $row->isGiven($metric) || ($row->metrics[$metric] ?? null)?->family() === Metric::THEORY ? null : $this->baselineOf($row)->metrics[$metric] ?? null;
    }

    public function ratio(Row $row, string $metric): ?float
    {
        return ($row->metrics[$metric] ?? null)?->ratioTo($this->against($row, $metric));
    }

    /** Whether a row's figure reaches its target; null when it has none. The baseline is not judged. */
    public function meets(Row $row, string $metric): ?bool
    {
        if (($row->baseline ?? $this->baseline) === $row->arm) {
            return null;
        }

        return ($row->metrics[$metric] ?? null)?->meets($this->ratio($row, $metric));
    }

    /** @return array<string, non-empty-list<Row>> by workload, in the order of the file */
    public function workloads(): array
    {
        $workloads = [];
        foreach ($this->rows as $row) {
            $workloads[$row->workload][] = $row;
        }

        return $workloads;
    }
}
