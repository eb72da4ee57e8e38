<?php

declare(strict_types=1);

/**
 * A request's bytes, and what may come back.
 */
final class Exchange
{
    /**
     * @param Closure(Answer): ?string $judge what is wrong with the answer
     * @param bool $bodiless the answer ends with its head
     * @param bool $ends the connection ends with the answer
     * @param bool $wild nobody can say how many answers it gets
     * @param int $waitAt so many bytes are sent before "100 Continue", or the answer, has come; 0: all
     */
    public function __construct(
        public readonly string $bytes,
        public readonly string $what,
        public readonly Closure $judge,
        public readonly bool $bodiless = false,
        public readonly bool $ends = false,
        public readonly bool $wild = false,
        public readonly int $waitAt = 0,
    ) {
    }
}
