<?php

declare(strict_types=1);

namespace Weft\PackageTests;

/** All that one server has answered, and what was in the database in the end. */
final class Answers
{
    private const CONTEXT = 100;

    /**
     * @param array<int, list<array{string, string}>> $answers what was asked and what came, by identity
     * @param array<string, string> $effects by package
     */
    public function __construct(private readonly array $answers, private readonly array $effects)
    {
    }

    public function count(): int
    {
        return array_sum(array_map(count(...), $this->answers));
    }

    public function statuses(): string
    {
        $counts = [];
        foreach (array_merge(...array_values($this->answers)) as [, $text]) {
            $status = strtok($text, "\n");
            $counts[$status] = ($counts[$status] ?? 0) + 1;
        }
        ksort($counts);

        return implode(' ', array_map(static fn (int|string $status, int $count): string => "$status:$count", array_keys($counts), $counts));
    }

    /**
     * @return list<string> those that are no answers
     */
    public function errors(): array
    {
        $errors = [];
        foreach ($this->answers as $who => $answers) {
            foreach ($answers as [$ask, $text]) {
                if (preg_match('/^(0|5\d\d)$/m', (string) strtok($text, "\n")) === 1) {
                    $errors[] = "  identity $who, $ask:\n" . substr($text, 0, 1500);
                }
            }
        }

        return $errors;
    }

    /**
     * @return list<string> how the other's differ, in words
     */
    public function differences(self $other): array
    {
        $found = [];
        foreach ($this->answers as $who => $answers) {
            $others = $other->answers[$who] ?? [];
            if (count($answers) !== count($others)) {
                $found[] = "  identity $who: " . count($answers) . ' answers alone, ' . count($others) . ' among others';
            }
            foreach ($answers as $i => [$ask, $text]) {
                [$asked, $got] = $others[$i] ?? ['', ''];
                if ($ask !== $asked || $text !== $got) {
                    $found[] = "  identity $who, $ask" . ($ask === $asked ? '' : " ($asked)") . self::difference($text, $got);
                }
            }
        }
        foreach ($this->effects as $package => $rows) {
            $got = $other->effects[$package] ?? '';
            if ($rows !== $got) {
                $found[] = "  $package, in the database" . self::difference($rows, $got);
            }
        }

        return $found;
    }

    /**
     * @return array<string, array{int, int}> differences and answers, by what comes first in the path
     */
    public function byPath(self $other): array
    {
        $counts = [];
        foreach ($this->answers as $who => $answers) {
            foreach ($answers as $i => [$ask, $text]) {
                $path = preg_match('~^\w+ (/(?:pk/)?[\w-]*)~', $ask, $match) === 1 ? $match[1] : $ask;
                [$different, $all] = $counts[$path] ?? [0, 0];
                $counts[$path] = [$different + (int) ($text !== ($other->answers[$who][$i][1] ?? '')), $all + 1];
            }
        }
        ksort($counts);

        return $counts;
    }

    private static function difference(string $wanted, string $got): string
    {
        $at = strspn($wanted ^ $got, "\0");
        $cut = static fn (string $text): string => strtr(substr($text, max(0, $at - self::CONTEXT), 3 * self::CONTEXT), "\n", ' ');

        return "\n    alone: " . $cut($wanted) . "\n    among: " . $cut($got);
    }
}
