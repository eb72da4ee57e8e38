<?php

declare(strict_types=1);

namespace Weft\Upstream;

use RuntimeException;

/**
 * differences.tsv: tests whose result may differ from plain PHP's, and why. Three columns: the test, the modes with
 * commas between (or "all"), the reason.
 */
final class AcceptedDifferences
{
    /** @var array<string, array<string, string>> reason by test and mode */
    private array $reasons = [];

    /** @var array<string, true> */
    private array $met = [];

    public function __construct(string $file)
    {
        foreach ((array) file($file, FILE_IGNORE_NEW_LINES) as $number => $line) {
            $line = (string) $line;
            if ($line === '' || $line[0] === '#') {
                continue;
            }
            $columns = explode("\t", $line);
            if (count($columns) !== 3 || trim($columns[2]) === '') {
                throw new RuntimeException("$file:" . ($number + 1) . ': a test, the modes and a reason, with tabs between.');
            }
            foreach ($columns[1] === 'all' ? Mode::others() : explode(',', $columns[1]) as $mode) {
                $mode = $mode instanceof Mode ? $mode : Mode::from($mode);
                $this->reasons[$columns[0]][$mode->value] = $columns[2];
            }
        }
    }

    public function reason(string $test, Mode $mode): ?string
    {
        $reason = $this->reasons[$test][$mode->value] ?? null;
        if ($reason !== null) {
            $this->met["$test in mode $mode->value"] = true;
        }

        return $reason;
    }

    /**
     * @param array<string, true> $tests those that ran
     * @param list<Mode> $modes
     *
     * @return list<string> the entries among them that were not needed
     */
    public function unneeded(array $tests, array $modes): array
    {
        $unneeded = [];
        foreach (array_intersect_key($this->reasons, $tests) as $test => $reasons) {
            foreach ($modes as $mode) {
                $entry = "$test in mode $mode->value";
                if (isset($reasons[$mode->value]) && !isset($this->met[$entry])) {
                    $unneeded[] = $entry;
                }
            }
        }

        return $unneeded;
    }
}
