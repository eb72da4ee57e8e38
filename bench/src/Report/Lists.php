<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

use Weft\Bench\Value;

/** What both forms of the report list besides the figures. */
final class Lists
{
    /** @return array<string, list<string>> sentences by heading */
    public static function summary(Summary $summary): array
    {
        return array_filter([
            'What to keep in mind:' => $summary->doubts,
            'Where coroutines gave something:' => $summary->gave,
            'Where they gave nothing, or less:' => $summary->nothing,
            'Against the other arms:' => $summary->others,
            'What it costs:' => $summary->costs,
        ]) ?: ['What it says:' => ['Nothing that could be compared was measured.']];
    }

    /** @return array<string, string> */
    public static function facts(Run $run): array
    {
        $facts = [
            'commit' => $run->commit, 'started' => $run->started,
            'finished' => $run->finished ?? 'no', 'profile' => $run->profile,
        ];

        return array_filter($facts + $run->machine + $run->versions + $run->settings, static fn (string $value): bool => $value !== '');
    }

    public static function holes(Run $run): Table
    {
        $rows = [];
        foreach ($run->arms as $arm) {
            if ($arm->skipped !== null) {
                $rows[] = [new Cell($arm->title), new Cell('everything'), new Cell($arm->skipped === Arm::UNWANTED ? $arm->skipped : "skipped: $arm->skipped"), new Cell('')];
            }
        }
        foreach ($run->holes as $hole) {
            $what = implode(', ', array_filter([$hole['suite'], $hole['workload']], static fn (string $part): bool => $part !== '' && $part !== '*'));
            $rows[] = [new Cell($hole['arm'] === '*' ? 'all' : $run->armTitle($hole['arm'])), new Cell($what), new Cell(($hole['skipped'] ? 'skipped: ' : 'failed: ') . $hole['reason']), new Cell($hole['log'] === '' ? '' : Value::excerpt($hole['log']))];
        }

        return new Table('', ['arm', 'what is missing', 'why', 'log'], $rows, 4, 0);
    }

    public static function checks(Run $run): Table
    {
        return new Table('', ['check', 'passed', 'what was seen'], array_map(static fn (array $check): array => [
            new Cell($check['name']), new Cell($check['passed'] ? 'yes' : 'NO', mood: $check['passed'] ? '' : Cell::BAD), new Cell($check['detail']),
        ], $run->checks), 3, 0);
    }
}
