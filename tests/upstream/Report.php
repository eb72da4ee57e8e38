<?php

declare(strict_types=1);

namespace Weft\Upstream;

use DOMDocument;

/** Counts, prints as it goes, and writes the JUnit file that tools/test counts. */
final class Report
{
    /** @var array<string, array<string, int>> how many tests by mode and verdict */
    private array $counts = [];

    /** @var list<Finding> */
    private array $findings = [];

    /** @var array<string, true> */
    private array $tests = [];

    private int $skipped = 0;

    /**
     * @param array<string, array<string, string>> $outcomes by mode and test
     * @param list<Finding> $findings
     */
    public function add(string $directory, array $outcomes, array $findings, float $seconds): void
    {
        $plain = $outcomes[Mode::Plain->value];
        $run = array_filter($plain, static fn (string $outcome): bool => !Outcome::isSkip($outcome));
        $this->skipped += count($plain) - count($run);
        $this->tests += array_fill_keys(array_keys($run), true);
        $line = sprintf('%s: %d run, %d skipped', $directory, count($run), count($plain) - count($run));
        foreach (array_keys($outcomes) as $mode) {
            if ($mode === Mode::Plain->value) {
                continue;
            }
            $counts = array_fill_keys(array_column(Verdict::cases(), 'value'), 0);
            foreach ($findings as $finding) {
                if ($finding->mode->value === $mode) {
                    $counts[$finding->verdict->value]++;
                }
            }
            $counts['same'] = count($run) - $counts['flaky'] - $counts['accepted'] - $counts['different'];
            foreach ($counts as $verdict => $count) {
                $this->counts[$mode][$verdict] = ($this->counts[$mode][$verdict] ?? 0) + $count;
            }
            $line .= sprintf('; %s: %s', $mode, self::enumerate($counts));
        }
        printf("%s (%d s)\n", $line, (int) round($seconds));
        foreach ($findings as $finding) {
            if ($finding->verdict !== Verdict::Same) {
                echo '  ', $finding->text(), "\n";
            }
            $this->findings[] = $finding;
        }
    }

    /** @return array<string, true> the tests that ran */
    public function tests(): array
    {
        return $this->tests;
    }

    /** @param list<string> $unneeded entries of the list of differences */
    public function finish(array $unneeded): bool
    {
        printf("\n%d tests run in each mode, %d skipped by plain PHP\n", count($this->tests), $this->skipped);
        foreach ($this->counts as $mode => $counts) {
            printf("  %s: %s\n", $mode, self::enumerate($counts));
        }
        foreach ($unneeded as $entry) {
            echo "  no longer different, take it out of differences.tsv: $entry\n";
        }

        return array_sum(array_column($this->counts, Verdict::Different->value)) === 0 && $this->tests !== [];
    }

    public function write(string $file, string $name): void
    {
        $failures = [];
        foreach ($this->findings as $finding) {
            if ($finding->verdict === Verdict::Different) {
                $failures[$finding->test][] = $finding->text();
            }
        }
        $document = new DOMDocument();
        $suite = $document->createElement('testsuite');
        $suite->setAttribute('name', $name);
        $document->appendChild($suite);
        foreach ($this->tests + array_fill_keys(array_keys($failures), true) as $test => $_) {
            $case = $document->createElement('testcase');
            $case->setAttribute('name', $test);
            $suite->appendChild($case);
            foreach ($failures[$test] ?? [] as $text) {
                $failure = $document->createElement('failure');
                $failure->setAttribute('message', $text);
                $case->appendChild($failure);
            }
        }
        $document->save($file);
    }

    /** @param array<string, int> $counts */
    private static function enumerate(array $counts): string
    {
        $parts = [];
        foreach ($counts as $verdict => $count) {
            if ($count > 0 || $verdict === Verdict::Same->value) {
                $parts[] = "$count $verdict";
            }
        }

        return implode(', ', $parts);
    }
}
