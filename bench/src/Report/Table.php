<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

final class Table
{
    /**
     * @param list<string>     $columns
     * @param list<list<Cell>> $rows
     * @param int              $heads   so many columns at the left are text
     * @param int|null         $name    the column that names the row; without it, the last of those
     */
    public function __construct(
        public readonly string $caption,
        public readonly array $columns,
        public readonly array $rows,
        public readonly int $heads,
        private readonly ?int $name = null,
    ) {
    }

    public function namesRow(int $column): bool
    {
        return $column === ($this->name ?? $this->heads - 1);
    }

    public function markdown(): string
    {
        $grid = [$this->columns];
        foreach ($this->rows as $row) {
            $grid[] = array_map(static fn (Cell $cell): string => $cell->plain(), $row);
        }
        $lines = [];
        foreach ($grid as $number => $cells) {
            $lines[] = '| ' . implode(' | ', array_map(self::escape(...), $cells)) . ' |';
            if ($number === 0) {
                $lines[] = '| ' . implode(' | ', array_map(
                    fn (int $i): string => $this->isText($i) ? '---' : '---:',
                    array_keys($cells),
                )) . ' |';
            }
        }

        return ($this->caption === '' ? '' : "**$this->caption**\n\n") . implode("\n", $lines) . "\n";
    }

    /** Heads and columns of sentences are aligned left, figures right. */
    public function isText(int $column): bool
    {
        if ($column < $this->heads) {
            return true;
        }
        foreach ($this->rows as $row) {
            if (isset($row[$column]) && preg_match('/^(–|-?[\d  .]+( [✓✗])?)?$/u', $row[$column]->text) !== 1) {
                return true;
            }
        }

        return false;
    }

    private static function escape(string $text): string
    {
        return str_replace(['|', "\n"], ['\\|', ' '], $text);
    }
}
