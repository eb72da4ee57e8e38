<?php

declare(strict_types=1);

namespace Weft\Bench;

/** What an arm is started with. */
final class Setup
{
    /**
     * @param array<string, string> $env
     * @param list<string>          $weft options for bin/weft serve alone
     */
    public function __construct(
        public readonly string $application,
        public readonly int $workers,
        public readonly array $env,
        public readonly array $weft = [],
    ) {
    }
}
