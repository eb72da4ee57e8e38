<?php

declare(strict_types=1);

namespace Weft\Bridge\Audit;

/**
 * When to count while a page is repeated: after a quarter, five eighths and all of the requests, or of the time if that
 * is up first. So there are two stretches of about the same length, and the beginning is left out.
 *
 * @internal
 */
final class Marks
{
    private const EIGHTHS = [2, 5, 8];

    /** Fewer requests say nothing: so many are wanted before the first mark, and in each of the stretches. */
    private const LEAST_BEFORE = 5;
    private const LEAST_BETWEEN = 7;

    private readonly int $begin;

    /** @var list<int> the request after which each mark was reached */
    private array $reached = [];

    public function __construct(
        private readonly int $requests,
        private readonly float $seconds,
    ) {
        $this->begin = hrtime(true);
    }

    /**
     * Told after each request, from number 1 on: whether to count now.
     */
    public function isReachedBy(int $number): bool
    {
        $share = self::EIGHTHS[count($this->reached)] / 8;
        if ($number < (int) ($this->requests * $share) && $this->elapsed() < $this->seconds * $share) {
            return false;
        }
        $this->reached[] = $number;

        return true;
    }

    public function areComplete(): bool
    {
        return count($this->reached) === count(self::EIGHTHS);
    }

    /**
     * The time does not suffice for as many requests as it takes to know something.
     */
    public function areTooClose(): bool
    {
        $before = 0;
        foreach ($this->reached as $mark => $number) {
            if ($number - $before < ($mark === 0 ? self::LEAST_BEFORE : self::LEAST_BETWEEN)) {
                return true;
            }
            $before = $number;
        }

        return false;
    }

    /**
     * How many requests each of the two stretches has. To be asked when they are complete.
     *
     * @return array{int, int}
     */
    public function stretches(): array
    {
        return [$this->reached[1] - $this->reached[0], $this->reached[2] - $this->reached[1]];
    }

    private function elapsed(): float
    {
        return (hrtime(true) - $this->begin) / 1e9;
    }
}
