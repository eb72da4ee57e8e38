<?php

declare(strict_types=1);

namespace Weft\Bench\Broadcast;

final class Measured
{
    public function __construct(
        public readonly int $listening,
        public readonly int $received,
        /** What did not come, or not in its order. */
        public readonly int $missing,
        public readonly float $p50,
        public readonly float $p99,
        public readonly float $most,
        /** Milliseconds until all had a message: the median. */
        public readonly float $usual,
        public readonly float $seconds,
        /** Seconds of CPU of the server. */
        public readonly float $computed,
    ) {
    }
}
