<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

/** What a mode's worker recorded, counted. */
final class Result
{
    public readonly int $journeys;
    public readonly int $switches;
    public readonly int $unexpected;

    /** @var array<string, list<array<mixed>>> */
    private array $differences = [];

    /** @var list<array<mixed>> */
    private array $crashes = [];

    private bool $finished = false;

    /**
     * @param list<array<mixed>> $lines
     * @param array<string, Behaviour> $cases
     */
    public function __construct(array $lines, private readonly array $cases)
    {
        $journeys = $switches = $unexpected = 0;
        foreach ($lines as $line) {
            $slug = $line['difference'] ?? null;
            if (is_string($slug)) {
                $this->differences[$slug][] = $line;
                $unexpected += $this->isBroken($slug) ? 0 : 1;
            }
            if (isset($line['crashed'])) {
                $this->crashes[] = $line;
                $unexpected++;
            }
            $journeys += is_int($line['journeys'] ?? null) ? $line['journeys'] : 0;
            if (isset($line['finished'])) {
                $this->finished = true;
                $stats = is_array($line['stats'] ?? null) ? $line['stats'] : [];
                $switches += is_int($stats['switches'] ?? null) ? $stats['switches'] : 0;
            }
        }
        $this->journeys = $journeys;
        $this->switches = $switches;
        $this->unexpected = $unexpected;
    }

    /**
     * @return list<string>
     */
    public function failing(): array
    {
        return array_keys($this->differences);
    }

    /**
     * @return array<string, string> by behaviour
     */
    public function complaints(int $shown): array
    {
        $complaints = [];
        foreach ($this->crashes as $crash) {
            $complaints[self::text($crash['crashed'] ?? '')] = sprintf(
                "the process died with status %s in %s:\n%s",
                self::text($crash['status'] ?? ''),
                self::text($crash['crashed'] ?? ''),
                self::text($crash['output'] ?? ''),
            );
        }
        if (!$this->finished && $this->crashes === []) {
            $complaints['finish'] = 'the worker did not finish.';
        }
        foreach ($this->differences as $slug => $lines) {
            if (!$this->isBroken($slug)) {
                $complaints[$slug] = "$slug differs " . count($lines) . " times, for example:\n" . implode('', array_map(
                    static fn (array $line): string => sprintf(
                        "  identity %s, round %s\n%s",
                        self::text($line['identity'] ?? ''),
                        self::text($line['round'] ?? ''),
                        self::text($line['how'] ?? ''),
                    ),
                    array_slice($lines, 0, $shown),
                ));
            }
        }

        return $complaints;
    }

    private function isBroken(string $slug): bool
    {
        return ($this->cases[$slug] ?? null)?->broken !== null;
    }

    private static function text(mixed $value): string
    {
        return is_scalar($value) ? (string) $value : '';
    }
}
