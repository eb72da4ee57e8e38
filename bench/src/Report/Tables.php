<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

use Weft\Bench\Metric;
use Weft\Bench\Row;
use Weft\Bench\Run;

/** Turns the rows of a workload into tables that fit on a screen. */
final class Tables
{
    /** So many columns of figures stay in one table even when they are of several families. */
    private const TOGETHER = 5;

    /**
     * Rows that are compared at something else than equal parameters have a table of their own.
     *
     * @param non-empty-list<Row> $rows of one workload
     *
     * @return list<Table>
     */
    public static function of(Run $run, array $rows): array
    {
        $pairs = [];
        foreach ($rows as $row) {
            $pairs[$row->pair ?? ''][] = $row;
        }

        return array_merge(...array_map(static fn (array $members): array => self::tables($run, $members), array_values($pairs)));
    }

    /**
     * @param non-empty-list<Row> $rows
     *
     * @return array{array<string, string>, list<string>} parameters with one value in all rows, and the names of the others
     */
    public static function parameters(array $rows): array
    {
        $first = $rows[0]->parameters;
        $fixed = array_intersect_assoc($first, ...array_map(static fn (Row $row): array => $row->parameters, $rows));
        $all = array_keys(array_merge(...array_map(static fn (Row $row): array => $row->parameters, $rows)));

        return [$fixed, array_values(array_diff($all, array_keys($fixed)))];
    }

    /**
     * @param non-empty-list<Row> $rows
     *
     * @return list<Table>
     */
    private static function tables(Run $run, array $rows): array
    {
        [$fixed, $varying] = self::parameters($rows);
        // By what was varied, so that the arms to be compared stand below each other.
        usort($rows, static function (Row $a, Row $b) use ($run, $varying): int {
            foreach ($varying as $name) {
                $order = strnatcmp($a->parameters[$name] ?? '', $b->parameters[$name] ?? '');
                if ($order !== 0) {
                    return $order;
                }
            }

            return $run->armRank($a->arm) <=> $run->armRank($b->arm);
        });
        $keys = Metric::sorted(array_merge(...array_map(static fn (Row $row): array => $row->metrics, $rows)));
        // What did not happen in any row needs no column.
        $happened = static fn (string $key): bool => array_filter($rows, static fn (Row $row): bool => array_sum($row->metrics[$key] ?? []) > 0.0) !== [];
        $calm = array_filter($keys, static fn (string $key): bool => in_array($key, Metric::TROUBLES, true) && !$happened($key));
        $calm = count($calm) < count($keys) ? $calm : [];
        $families = [];
        foreach (array_diff($keys, $calm) as $key) {
            $families[count($keys) <= self::TOGETHER ? '' : Metric::family($key)][] = $key;
        }
        $tables = [];
        foreach ($families as $family => $columns) {
            $title = $rows[0]->workload . ($rows[0]->pair === null ? '' : " at {$rows[0]->pair}") . ($family === '' ? '' : ": $family");
            $constants = implode(', ', array_map(Row::parameter(...), array_keys($fixed), $fixed));
            $none = $tables === [] && $calm !== [] ? '; ' . implode(', ', array_map(Metric::title(...), $calm)) . ': none' : '';
            $tables[] = self::table($run, $rows, $title . ($constants === '' ? '' : " ($constants)") . $none, $varying, $columns, $tables === []);
        }

        return $tables;
    }

    /**
     * @param non-empty-list<Row> $rows
     * @param list<string>        $varying parameters
     * @param list<string>        $keys    metrics
     */
    private static function table(Run $run, array $rows, string $caption, array $varying, array $keys, bool $withMarks): Table
    {
        $marked = $withMarks && array_filter($rows, static fn (Row $row): bool => $row->marks() !== []) !== [];
        $lines = [];
        foreach ($rows as $row) {
            if (array_intersect_key($row->metrics, array_flip($keys)) !== []) {
                $lines[] = [
                    ...array_map(static fn (string $name): string => $row->parameters[$name] ?? '', $varying),
                    $run->armTitle($row->arm),
                    ...array_map(static fn (string $key): Cell => Cell::of($run, $row, $key), $keys),
                    ...($marked ? [implode(', ', $row->marks())] : []),
                ];
            }
        }
        $columns = [
            ...array_map(static fn (string $name): string => strtr($name, '_', ' '), $varying),
            'arm',
            ...array_map(Metric::label(...), $keys),
            ...($marked ? ['marks'] : []),
        ];

        return new Table($caption, $columns, $lines, count($varying) + 1);
    }
}
