<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

/** Makes report.md and report.html beside a run's raw.json. */
final class Writer
{
    private const ROOM = __DIR__ . '/../../report';
    private const BUNDLE = __DIR__ . '/../../../var/bench-report/charts.js';

    public function __construct(private readonly string $bundle = self::BUNDLE)
    {
    }

    public static function write(string $directory): void
    {
        $run = Run::load($directory);
        $writer = new self();
        $writer->markdown($run, $directory);
        $writer->html($run, $directory);
    }

    public function markdown(Run $run, string $directory): string
    {
        return self::put("$directory/report.md", Markdown::page($run));
    }

    public function html(Run $run, string $directory): string
    {
        $style = (string) file_get_contents(self::ROOM . '/report.css');
        $script = is_file($this->bundle) ? (string) file_get_contents($this->bundle) : '';

        return self::put("$directory/report.html", (new Html($run, $style, $script, $script === '' ? $this->reason() : ''))->page());
    }

    /** tools/report-charts leaves a line that says why there is no bundle. */
    private function reason(): string
    {
        $file = dirname($this->bundle) . '/why-not.txt';
        $why = is_file($file) ? trim((string) file_get_contents($file)) : '`tools/report-charts` has not been run';

        return "The charts are simple ones: the charting library is not bundled ($why).";
    }

    /** Under its name only when it is whole: a reader may be looking. */
    private static function put(string $file, string $content): string
    {
        if (@file_put_contents("$file.tmp", $content) === false || !@rename("$file.tmp", $file)) {
            throw new Unreadable("$file can't be written.");
        }

        return $file;
    }
}
