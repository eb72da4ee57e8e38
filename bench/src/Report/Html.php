<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

/** report.html: one file that needs nothing else. Tables hold every figure; charts are drawn over plain SVG. */
final class Html
{
    private const LEGEND = '<b>1.00×</b> is the multiple of the baseline at the same setting, <span class="good"><b>green</b></span> where it is '
        . 'better and <span class="bad"><b>red</b></span> where it is worse by more than noise. ';

    /** @var list<Chart> */
    private array $drawn = [];

    /**
     * @param string $script the bundled charting library; empty when it could not be had
     * @param string $note   why not
     */
    public function __construct(
        private readonly Run $run,
        private readonly string $style,
        private readonly string $script,
        private readonly string $note,
    ) {
    }

    public function page(): string
    {
        $suites = implode('', array_map($this->suite(...), $this->run->suites));
        $title = 'Weft benchmark, ' . $this->run->started;
        $body = "<header><h1>Weft benchmark</h1>{$this->heading()}</header>\n<main>\n"
            . $this->summary() . $this->contents() . '<p class="legend-text">' . self::LEGEND . self::escape(Markdown::SIGNS) . "</p>\n"
            . $suites
            . $this->section('holes', 'Holes', Lists::holes($this->run), 'Everything that was asked for was measured.')
            . $this->section('checks', 'Checks', Lists::checks($this->run), 'None were recorded.')
            . $this->facts() . "</main>\n";

        return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            . "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            . "<meta name=\"color-scheme\" content=\"light dark\">\n"
            . "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
            . '<title>' . self::escape($title) . "</title>\n<style>\n$this->style</style>\n</head>\n<body>\n$body" . $this->scripts() . "</body>\n</html>\n";
    }

    private function heading(): string
    {
        $state = $this->run->complete ? 'finished' : 'not finished';
        $machine = array_map(
            // A processor's name says what it is, a number does not.
            static fn (string $name, string $value): string => $name === 'cpu' || $name === 'os' ? $value : strtr($name, '_', ' ') . " $value",
            array_keys($this->run->machine),
            $this->run->machine,
        );
        $short = [$this->run->started, "{$this->run->profile} run, $state", 'commit ' . $this->run->commit, ...$machine];

        return '<p>' . implode(' · ', array_map(self::escape(...), $short)) . "</p>\n";
    }

    private function summary(): string
    {
        $text = "<section id=\"summary\"><h2>Summary</h2>\n";
        foreach (Lists::summary(new Summary($this->run)) as $title => $sentences) {
            $text .= '<h3>' . self::escape(rtrim($title, ':')) . '</h3><ul>'
                . implode('', array_map(static fn (string $sentence): string => '<li>' . self::prose($sentence) . "</li>\n", $sentences)) . "</ul>\n";
        }

        return "$text</section>\n";
    }

    private function contents(): string
    {
        $links = [];
        foreach ($this->run->suites as $suite) {
            $links[self::id($suite->name)] = $suite->title;
        }
        $links += ['holes' => 'Holes', 'checks' => 'Checks', 'facts' => 'Machine and settings'];

        return '<nav aria-label="Sections"><ul>' . implode('', array_map(
            static fn (string $id, string $title): string => "<li><a href=\"#$id\">" . self::escape($title) . '</a></li>',
            array_keys($links),
            $links,
        )) . "</ul></nav>\n";
    }

    private function suite(Suite $suite): string
    {
        $charts = (new Charts($this->run))->of($suite);
        $tables = (new Tables($this->run))->of($suite);
        $text = '<section id="' . self::id($suite->name) . '"><h2>' . self::escape($suite->title) . "</h2>\n"
            . ($suite->introduction($this->run) === '' ? '' : '<p>' . self::prose($suite->introduction($this->run)) . "</p>\n")
            . $this->charts($charts[''] ?? []);
        foreach ($tables as $workload => $list) {
            $own = $charts[$workload] ?? [];
            $text .= ($own === [] ? '' : '<h3>' . self::escape($workload) . "</h3>\n") . $this->charts($own) . implode('', array_map(self::table(...), $list));
        }

        return $text . ($suite->rows === [] ? "<p>Nothing was measured.</p>\n" : '') . "</section>\n";
    }

    /** @param list<Chart> $charts */
    private function charts(array $charts): string
    {
        return $charts === [] ? '' : "<div class=\"charts\">\n" . implode('', array_map($this->chart(...), $charts)) . "</div>\n";
    }

    private function chart(Chart $chart): string
    {
        $number = count($this->drawn);
        $this->drawn[] = $chart;
        $legend = implode('', array_map(static fn (array $series): string => '<li>' . ($series['dashed']
            ? '<svg viewBox="0 0 24 12" aria-hidden="true"><line class="line dashed ' . Svg::colour($series['rank']) . '" x1="0" x2="24" y1="6" y2="6"/></svg>'
            : '<svg viewBox="0 0 12 12" aria-hidden="true">' . ($chart->kind === Chart::BARS ? Svg::swatch($series['rank']) : Svg::symbol($series['rank'], 6, 6, 4)) . '</svg>')
            . self::escape($series['name']) . '</li>', $chart->series));

        return '<figure><figcaption>' . self::escape($chart->title)
            . ($chart->kind === Chart::LINES ? '<small>' . self::escape($chart->yLabel) . '</small>' : '')
            . "</figcaption><ul class=\"legend\">$legend</ul>"
            . "<div class=\"plot\" data-chart=\"$number\">" . Svg::draw($chart) . "</div>\n"
            . '<details><summary>Figures of this chart</summary>' . self::table($chart->table()) . "</details></figure>\n";
    }

    private static function table(Table $table): string
    {
        $head = '';
        foreach ($table->columns as $number => $column) {
            $head .= '<th scope="col"' . ($table->isText($number) ? ' class="text"' : '') . '>' . self::escape($column) . '</th>';
        }
        $body = '';
        foreach ($table->rows as $row) {
            $body .= '<tr>';
            foreach ($row as $number => $cell) {
                $class = trim(($table->isText($number) ? 'text ' : '') . $cell->mood);
                $attributes = $class === '' ? '' : " class=\"$class\"";
                $content = self::escape($cell->text)
                    . ($cell->doubt === '' ? '' : ' <small>' . self::escape($cell->doubt) . '</small>')
                    . ($cell->ratio === '' ? '' : ' <b>' . self::escape($cell->ratio) . '</b>');
                $body .= $table->namesRow($number) ? "<th scope=\"row\"$attributes>$content</th>" : "<td$attributes>$content</td>";
            }
            $body .= "</tr>\n";
        }
        $label = self::escape($table->caption === '' ? 'Table' : $table->caption);
        $caption = $table->caption === '' ? '' : "<caption>$label</caption>";

        // Wide tables scroll by themselves; with tabindex the arrow keys do it too.
        return "<div class=\"scroll\" role=\"region\" aria-label=\"$label\" tabindex=\"0\"><table>$caption<thead><tr>$head</tr></thead>\n<tbody>$body</tbody></table></div>\n";
    }

    private function section(string $id, string $title, Table $table, string $empty): string
    {
        return "<section id=\"$id\"><h2>$title</h2>\n" . ($table->rows === [] ? "<p>$empty</p>" : self::table($table)) . "</section>\n";
    }

    private function facts(): string
    {
        $list = '';
        foreach (Lists::facts($this->run) as $name => $value) {
            $list .= '<div><dt>' . self::escape($name) . '</dt><dd>' . self::escape($value) . "</dd></div>\n";
        }

        return "<section id=\"facts\"><h2>Machine and settings</h2>\n<dl>\n$list</dl>\n"
            . ($this->note === '' ? '' : '<p>' . self::prose($this->note) . "</p>\n") . "</section>\n";
    }

    private function scripts(): string
    {
        if ($this->script === '' || $this->drawn === []) {
            return '';
        }
        $data = json_encode($this->drawn, JSON_HEX_TAG | JSON_HEX_AMP | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR);

        return "<script type=\"application/json\" id=\"charts\">$data</script>\n<script>"
            . str_replace('</script', '<\\/script', $this->script) . "</script>\n";
    }

    private static function id(string $name): string
    {
        return 'suite-' . trim((string) preg_replace('/[^a-z0-9]+/', '-', strtolower($name)), '-');
    }

    /** Text with `code` in it. */
    private static function prose(string $text): string
    {
        return (string) preg_replace('/`([^`]+)`/', '<code>$1</code>', self::escape($text));
    }

    private static function escape(string $text): string
    {
        return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE);
    }
}
