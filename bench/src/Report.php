<?php

declare(strict_types=1);

namespace Weft\Bench;

/** Collects rows; writes report.md and report.json after each, so an interrupted run keeps what it has. */
final class Report
{
    /** @var list<Row> */
    private array $rows = [];

    /** @var list<string> */
    private array $notes = [];

    private bool $partial = true;

    /** @param array<string, scalar> $options */
    public function __construct(private readonly string $dir, private readonly Machine $machine, private readonly array $options)
    {
    }

    public function add(Row $row): void
    {
        $this->rows[] = $row;
        $this->save();
    }

    public function note(string $text): void
    {
        if (!in_array($text, $this->notes, true)) {
            $this->notes[] = $text;
        }
    }

    public function finish(): void
    {
        $this->partial = false;
        $this->save();
    }

    /** @return list<Row> */
    public function rows(): array
    {
        return $this->rows;
    }

    public function summary(): string
    {
        $counts = array_count_values(array_map(static fn (Row $row): string => $row->status, $this->rows));
        $lines = [$this->tables(), ''];
        foreach ($counts as $status => $count) {
            $lines[] = "$count $status";
        }
        $lines[] = "Report: $this->dir/report.md";

        return implode("\n", $lines) . "\n";
    }

    public function succeeded(): bool
    {
        foreach ($this->rows as $row) {
            if ($row->status === Row::FAILED) {
                return false;
            }
        }

        return true;
    }

    private function save(): void
    {
        $title = '# Weft benchmark, ' . gmdate('Y-m-d H:i') . ' UTC' . ($this->partial ? ' (not finished)' : '');
        $facts = '';
        foreach ($this->machine->facts + $this->options as $key => $value) {
            $facts .= "- $key: " . (is_bool($value) ? ($value ? 'yes' : 'no') : $value) . "\n";
        }
        $notes = $this->notes === [] ? '' : "\n## Notes\n\n- " . implode("\n- ", $this->notes) . "\n";
        file_put_contents("$this->dir/report.md", "$title\n\n" . $this->tables() . "\n$notes\n## Machine and settings\n\n$facts");
        file_put_contents("$this->dir/report.json", json_encode([
            'time' => gmdate(DATE_ATOM), 'complete' => !$this->partial, 'machine' => $this->machine->facts, 'options' => $this->options,
            'notes' => $this->notes, 'rows' => $this->rows,
        ], JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_PARTIAL_OUTPUT_ON_ERROR) . "\n");
    }

    private function tables(): string
    {
        $tables = [];
        foreach ($this->rows as $row) {
            $tables[$row->table][] = $row;
        }
        $text = [];
        foreach ($tables as $title => $rows) {
            $text[] = "## $title\n\n" . self::table($rows);
        }

        return implode("\n\n", $text);
    }

    /** @param list<Row> $rows */
    private static function table(array $rows): string
    {
        $columns = [];
        foreach ($rows as $row) {
            $columns += $row->cells;
        }
        $columns = array_keys($columns);
        $grid = [['', ...$columns, 'verdict']];
        foreach ($rows as $row) {
            $verdict = $row->reason === '' ? $row->status : "$row->status: " . Value::excerpt($row->reason);
            $grid[] = [$row->name, ...array_map(static fn (string $c): string => $row->cells[$c] ?? '', $columns), str_replace('|', '/', $verdict)];
        }
        $lines = [];
        foreach ($grid as $number => $cells) {
            foreach ($cells as $i => $cell) {
                $width = max(array_map(static fn (array $r): int => mb_strwidth($r[$i] ?? ''), $grid));
                $fill = str_repeat(' ', $i === count($cells) - 1 ? 0 : max(0, $width - mb_strwidth($cell)));
                $cells[$i] = $i === 0 || $i === count($cells) - 1 ? $cell . $fill : $fill . $cell;
            }
            $lines[] = '| ' . implode(' | ', $cells) . ' |';
            if ($number === 0) {
                $rule = array_map(static fn (int $i): string => $i === 0 || $i === count($cells) - 1 ? '---' : '---:', array_keys($cells));
                $lines[] = '| ' . implode(' | ', $rule) . ' |';
            }
        }

        return implode("\n", $lines);
    }
}
