<?php

declare(strict_types=1);

namespace App\Reports;

use Closure;

/** One of the report's questions to somebody else. */
final readonly class Call
{
    /** @param Closure(): mixed $ask */
    public function __construct(
        public string $name,
        public string $kind,
        public int $milliseconds,
        public Closure $ask,
    ) {
    }
}
