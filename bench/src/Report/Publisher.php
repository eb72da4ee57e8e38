<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

/** bench/run publish RUN: the results in the documentation come from a file, never from a hand. */
final class Publisher
{
    private const PAGE = __DIR__ . '/../../../docs/benchmarks.md';
    private const BEGIN = '<!-- results: made by `bench/run publish`, do not edit -->';
    private const END = '<!-- end of results -->';

    /** @param list<string> $arguments */
    public static function main(array $arguments): int
    {
        $options = Commands::options($arguments, ['to=', 'force']);
        [$path] = Commands::paths('publish', $arguments, ['RUN']);
        $run = Run::load($path);
        $page = $options['to'] ?? self::PAGE;
        if (!isset($options['force'])) {
            self::refuse($run);
        }
        $text = @file_get_contents($page);
        if ($text === false) {
            throw new Unreadable("$page can't be read.");
        }
        if (@file_put_contents($page, self::insert($text, $run, $page)) === false) {
            throw new Unreadable("$page can't be written.");
        }
        echo "$page has the results of $run->file.\n";

        return 0;
    }

    public static function insert(string $text, Run $run, string $page): string
    {
        $begin = strpos($text, self::BEGIN);
        $end = strpos($text, self::END);
        if ($begin === false || $end === false || $end < $begin) {
            throw new Unreadable("$page lacks the two lines between which results go:\n" . self::BEGIN . "\n" . self::END);
        }

        return substr($text, 0, $begin + strlen(self::BEGIN)) . "\n\n"
            . "Measured from $run->started, $run->profile run, at commit $run->commit.\n\n"
            . Markdown::results($run, '###') . "### Machine and settings\n\n" . Markdown::facts($run) . "\n" . substr($text, $end);
    }

    /** What should not become documentation by accident. */
    private static function refuse(Run $run): void
    {
        $reasons = array_filter([
            $run->complete ? '' : 'it was not finished',
            $run->profile === 'quick' ? 'it is a quick run, whose figures are rough' : '',
            str_contains($run->commit, '+changes') ? "it measured files that no commit has ($run->commit)" : '',
            $run->busy() === null ? '' : 'something else kept the machine busy when it began (load ' . $run->busy() . ')',
            $run->failedChecks() === [] ? '' : 'a check failed: ' . implode(', ', array_column($run->failedChecks(), 'name')),
        ]);
        if ($reasons !== []) {
            throw new Unreadable("$run->file was not published: " . implode('; ', $reasons) . '. --force publishes it all the same, and the page says so.');
        }
    }
}
