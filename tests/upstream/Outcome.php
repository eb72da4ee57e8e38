<?php

declare(strict_types=1);

namespace Weft\Upstream;

/** What one test came to, as text that can be compared: its status and, where it failed, a digest of its output. */
final class Outcome
{
    /** The runner said nothing about the test. */
    public const MISSING = 'MISSING';

    public static function of(string $status, ?string $output): string
    {
        // A test that fails everywhere (the machine lacks something, the source is older than PHP) must still
        // fail in the same way.
        return $output === null ? $status : $status . ' ' . substr(md5($output), 0, 12);
    }

    /**
     * @param list<string> $outcomes
     *
     * @return list<string>
     */
    public static function statuses(array $outcomes): array
    {
        return array_values(array_unique(array_map(static fn (string $one): string => explode(' ', $one)[0], $outcomes)));
    }

    public static function isSkip(string $outcome): bool
    {
        return $outcome === 'SKIPPED';
    }
}
