<?php

declare(strict_types=1);

namespace Weft\Broadcasting;

/**
 * How many messages one socket may send in so many seconds.
 *
 * @internal
 */
final class RateLimit
{
    public function __construct(
        public readonly int $messages,
        public readonly int $seconds,
        public readonly bool $closes,
    ) {
    }
}
