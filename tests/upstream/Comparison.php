<?php

declare(strict_types=1);

namespace Weft\Upstream;

/**
 * Compares a directory's outcomes with those of plain PHP. A difference counts when it shows again: the test is
 * repeated alone, in every mode, because many tests meet each other or the clock.
 */
final class Comparison
{
    private const REPEATS = 3;

    public function __construct(private readonly Suite $suite, private readonly AcceptedDifferences $accepted)
    {
    }

    /**
     * @param array<string, array<string, string>> $outcomes by mode and test; the plain ones among them
     *
     * @return list<Finding>
     */
    public function findings(array $outcomes, string $label): array
    {
        $plain = $outcomes[Mode::Plain->value];
        $candidates = [];
        foreach ($outcomes as $mode => $ofMode) {
            foreach ($ofMode + $plain as $test => $_) {
                if (($ofMode[$test] ?? Outcome::MISSING) !== ($plain[$test] ?? Outcome::MISSING)) {
                    $candidates[$test][] = Mode::from($mode);
                }
            }
        }
        if ($candidates === []) {
            return [];
        }
        $again = $this->repeat(array_keys($candidates), array_map(Mode::from(...), array_keys($outcomes)), $label);
        $findings = [];
        foreach ($candidates as $test => $modes) {
            foreach ($modes as $mode) {
                $findings[] = $this->judge($test, $mode, $again[Mode::Plain->value][$test], $again[$mode->value][$test]);
            }
        }

        return $findings;
    }

    /**
     * @param list<string> $tests
     * @param list<Mode> $modes
     *
     * @return array<string, array<string, list<string>>> the different outcomes by mode and test
     */
    private function repeat(array $tests, array $modes, string $label): array
    {
        $seen = [];
        for ($time = 1; $time <= self::REPEATS; $time++) {
            foreach ($modes as $mode) {
                $outcomes = $this->suite->run($mode, $tests, "$label-again-$time", alone: true);
                foreach ($tests as $test) {
                    $seen[$mode->value][$test][] = $outcomes[$test] ?? Outcome::MISSING;
                }
            }
        }

        return array_map(
            static fn (array $ofMode): array => array_map(static fn (array $all): array => array_values(array_unique($all)), $ofMode),
            $seen,
        );
    }

    /**
     * @param list<string> $plain
     * @param list<string> $outcomes
     */
    private function judge(string $test, Mode $mode, array $plain, array $outcomes): Finding
    {
        $before = [$plain, $outcomes];
        // What prints something else each time (a random name, a process number) is compared by its status.
        if (count($plain) > 1) {
            [$plain, $outcomes] = [Outcome::statuses($plain), Outcome::statuses($outcomes)];
        }
        if (count($plain) > 1) {
            return new Finding($test, $mode, Verdict::Flaky, ...$before);
        }
        if ($plain === $outcomes) {
            return new Finding($test, $mode, Verdict::Same, ...$before);
        }
        $reason = $this->accepted->reason($test, $mode);

        return new Finding($test, $mode, $reason === null ? Verdict::Different : Verdict::Accepted, $plain, $outcomes, $reason ?? '');
    }
}
