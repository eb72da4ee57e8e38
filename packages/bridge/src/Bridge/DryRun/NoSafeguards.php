<?php

declare(strict_types=1);

namespace Weft\Bridge\DryRun;

/**
 * For an application that Weft knows nothing about.
 *
 * @internal
 */
final class NoSafeguards implements Safeguards
{
    public function gaps(): array
    {
        return ['what its requests write to files and services stays there: Weft does not know this kind of application. What they write to databases by PDO is rolled back'];
    }

    public function install(): void
    {
    }

    public function noteFailures(): void
    {
        // Failures has them all
    }

    public function undo(): void
    {
    }
}
