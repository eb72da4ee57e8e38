<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

/** Turns the rows of a suite into tables that fit on a screen. */
final class Tables
{
    private const FAMILIES = [
        'load' => '', 'cost' => 'what it costs', 'phases' => 'where the time of a request goes',
        'theory' => 'theory against practice', 'other' => 'more',
    ];

    /** So many columns of figures stay in one table even when they are of several families. */
    private const TOGETHER = 5;

    public function __construct(private readonly Run $run)
    {
    }

    /** @return array<string, list<Table>> by workload */
    public function of(Suite $suite): array
    {
        return array_map(fn (array $rows): array => $this->workload($suite, $rows), $suite->workloads());
    }

    /**
     * Rows that are compared at something else than equal parameters have a table of their own.
     *
     * @param non-empty-list<Row> $rows
     *
     * @return list<Table>
     */
    private function workload(Suite $suite, array $rows): array
    {
        $pairs = [];
        foreach ($rows as $row) {
            $pairs[$row->pair ?? ''][] = $row;
        }

        return array_merge(...array_map(fn (array $members): array => $this->tables($suite, $members), array_values($pairs)));
    }

    /**
     * @param non-empty-list<Row> $rows
     *
     * @return list<Table>
     */
    private function tables(Suite $suite, array $rows): array
    {
        $rows = $this->sorted($rows);
        [$fixed, $varying] = self::parameters($rows);
        $families = self::families($rows);
        $tables = [];
        foreach ($families as $family => $metrics) {
            $title = $rows[0]->workload . ($rows[0]->pair === null ? '' : " at {$rows[0]->pair}");
            $caption = implode(': ', array_filter([$title, self::FAMILIES[$family] ?? '']));
            $constants = implode(', ', array_map(Row::parameter(...), array_keys($fixed), $fixed));
            $calm = self::calm($rows, $metrics);
            $caption .= ($constants === '' ? '' : " ($constants)") . ($calm === [] ? '' : '; ' . implode(', ', $calm) . ': none');
            $tables[] = $this->table($suite, $rows, $caption, $varying, array_diff_key($metrics, $calm), $tables === []);
        }

        return $tables;
    }

    /**
     * What did not happen in any row needs no column.
     *
     * @param list<Row>             $rows
     * @param array<string, Metric> $metrics
     *
     * @return array<string, string> titles
     */
    private static function calm(array $rows, array $metrics): array
    {
        $troubles = array_intersect_key($metrics, array_flip(Metric::TROUBLES));
        $calm = array_filter($troubles, static fn (string $key): bool => array_filter($rows, static fn (Row $row): bool => ($row->metrics[$key] ?? null)?->high() > 0.0) === [], ARRAY_FILTER_USE_KEY);

        return count($calm) < count($metrics) ? array_map(static fn (Metric $metric): string => $metric->title(), $calm) : [];
    }

    /**
     * @param list<Row>             $rows
     * @param list<string>          $varying
     * @param array<string, Metric> $metrics
     */
    private function table(Suite $suite, array $rows, string $caption, array $varying, array $metrics, bool $withMarks): Table
    {
        $marked = $withMarks && array_filter($rows, static fn (Row $row): bool => $row->marks !== []) !== [];
        $columns = array_map(static fn (string $name): string => strtr($name, '_', ' '), $varying);
        $columns[] = 'arm';
        foreach ($metrics as $metric) {
            $columns[] = $metric->label();
        }
        if ($marked) {
            $columns[] = 'marks';
        }
        $cells = [];
        foreach ($rows as $row) {
            if (array_intersect_key($row->metrics, $metrics) === []) {
                continue;
            }
            $line = array_map(static fn (string $name): Cell => new Cell($row->parameters[$name] ?? ''), $varying);
            $line[] = new Cell($this->run->armTitle($row->arm));
            foreach (array_keys($metrics) as $key) {
                $line[] = Cell::metric($row->metrics[$key] ?? null, $suite->against($row, $key), $suite->meets($row, $key));
            }
            if ($marked) {
                $line[] = new Cell(implode(', ', $row->marks));
            }
            $cells[] = $line;
        }

        return new Table($caption, $columns, $cells, count($varying) + 1);
    }

    /**
     * @param list<Row> $rows
     *
     * @return array{array<string, string>, list<string>} those with one value in all rows, and the names of the others
     */
    public static function parameters(array $rows): array
    {
        $values = [];
        foreach ($rows as $row) {
            foreach ($row->parameters as $name => $value) {
                $values[$name][] = $value;
            }
        }
        $fixed = [];
        $varying = [];
        foreach ($values as $name => $found) {
            if (count($found) === count($rows) && count(array_unique($found)) === 1) {
                $fixed[$name] = $found[0];
            } else {
                $varying[] = $name;
            }
        }

        return [$fixed, $varying];
    }

    /**
     * @param list<Row> $rows
     *
     * @return array<string, array<string, Metric>> one metric of each key, by family
     */
    private static function families(array $rows): array
    {
        $metrics = [];
        foreach ($rows as $row) {
            $metrics += array_filter($row->metrics, static fn (Metric $metric): bool => $metric->family() !== Metric::GENERATOR);
        }
        uksort($metrics, static fn (string $a, string $b): int => Metric::rank($a) <=> Metric::rank($b));
        if (count($metrics) <= self::TOGETHER) {
            return $metrics === [] ? [] : ['load' => $metrics];
        }
        $families = [];
        foreach ($metrics as $key => $metric) {
            $families[$metric->family()][$key] = $metric;
        }

        return array_replace(array_intersect_key(array_fill_keys(array_keys(self::FAMILIES), []), $families), $families);
    }

    /**
     * By what was varied, so that the arms to be compared stand below each other.
     *
     * @param non-empty-list<Row> $rows
     *
     * @return non-empty-list<Row>
     */
    private function sorted(array $rows): array
    {
        [, $varying] = self::parameters($rows);
        usort($rows, function (Row $a, Row $b) use ($varying): int {
            $order = 0;
            foreach ($varying as $name) {
                $order = $order ?: strnatcmp($a->parameters[$name] ?? '', $b->parameters[$name] ?? '');
            }

            return $order ?: $this->run->armRank($a->arm) <=> $this->run->armRank($b->arm);
        });

        return $rows;
    }
}
