<?php

declare(strict_types=1);

namespace Weft\Bench;

/** What every suite works with. */
final class Bench
{
    public function __construct(
        public readonly Workspace $workspace,
        public readonly Options $options,
        public readonly Report $report,
        public readonly Console $console,
    ) {
    }
}
