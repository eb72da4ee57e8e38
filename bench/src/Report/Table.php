<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

final class Table
{
    /**
     * @param list<string>            $columns
     * @param list<list<Cell|string>> $rows
     * @param int                     $heads   so many columns at the left are text
     * @param int|null                $name    the column that names the row; without it, the last of those
     */
    public function __construct(
        public readonly string $caption,
        private readonly array $columns,
        public readonly array $rows,
        private readonly int $heads,
        private readonly ?int $name = null,
    ) {
    }

    public function markdown(): string
    {
        $rule = array_map(fn (int $column): string => $this->isText($column) ? '---' : '---:', array_keys($this->columns));

        return ($this->caption === '' ? '' : "**$this->caption**\n\n") . self::line($this->columns) . self::line($rule) . implode('', array_map(self::line(...), $this->rows));
    }

    public function html(): string
    {
        $head = '';
        foreach ($this->columns as $number => $column) {
            $head .= '<th scope="col"' . ($this->isText($number) ? ' class="text"' : '') . '>' . self::escape($column) . '</th>';
        }
        $body = '';
        foreach ($this->rows as $row) {
            $body .= '<tr>';
            foreach ($row as $number => $cell) {
                $cell = $cell instanceof Cell ? $cell : new Cell($cell);
                $class = trim(($this->isText($number) ? 'text ' : '') . $cell->mood);
                $tag = $number === ($this->name ?? $this->heads - 1) ? 'th scope="row"' : 'td';
                $body .= "<$tag" . ($class === '' ? '' : " class=\"$class\"") . '>' . self::escape($cell->text)
                    . ($cell->doubt === '' ? '' : ' <small>' . self::escape($cell->doubt) . '</small>')
                    . ($cell->ratio === '' ? '' : ' <b>' . self::escape($cell->ratio) . '</b>') . '</' . substr($tag, 0, 2) . '>';
            }
            $body .= "</tr>\n";
        }
        $label = self::escape($this->caption === '' ? 'Table' : $this->caption);

        // Wide tables scroll by themselves; with tabindex the arrow keys do it too.
        return "<div class=\"scroll\" role=\"region\" aria-label=\"$label\" tabindex=\"0\"><table>" . ($this->caption === '' ? '' : "<caption>$label</caption>")
            . "<thead><tr>$head</tr></thead>\n<tbody>$body</tbody></table></div>\n";
    }

    /** @param list<Cell|string> $cells */
    private static function line(array $cells): string
    {
        $texts = array_map(static fn (Cell|string $cell): string => $cell instanceof Cell ? $cell->plain() : $cell, $cells);

        return '| ' . implode(' | ', str_replace(['|', "\n"], ['\\|', ' '], $texts)) . " |\n";
    }

    /** Text with `code` in it becomes markup with <code> in it. */
    public static function escape(string $text): string
    {
        return (string) preg_replace('/`([^`]+)`/', '<code>$1</code>', htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE));
    }

    /** Heads and columns of sentences are aligned left, figures right. */
    private function isText(int $column): bool
    {
        foreach ($column < $this->heads ? [] : $this->rows as $row) {
            $cell = $row[$column] ?? '';
            if (preg_match('/^(–|-?[\d  .]+( [✓✗])?)?$/u', $cell instanceof Cell ? $cell->text : $cell) !== 1) {
                return true;
            }
        }

        return $column < $this->heads;
    }
}
