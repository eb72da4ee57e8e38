<?php

declare(strict_types=1);

namespace Weft\Bridge\DryRun;

/**
 * How a made-up request ended. Holds nothing but text and numbers: an object of the request would outlive it.
 *
 * @internal
 */
final class Outcome
{
    /** Characters of the detail in a sentence: a failed query tells all of its SQL. */
    private const MOST = 300;

    public function __construct(
        public readonly int $status,
        /** where a redirect leads to, or what was thrown; empty: neither */
        public readonly string $detail,
        public readonly int $bytes,
        public readonly string $body = '',
        /** @var list<string> */
        public readonly array $headers = [],
        /** where it was thrown; empty: nothing was */
        public readonly string $place = '',
        /** @var list<string> those that it has sent to databases, without values */
        public readonly array $statements = [],
    ) {
    }

    /**
     * The detail and the place in brackets, for the end of a sentence; empty when there are none.
     */
    public function because(): string
    {
        $detail = trim((string) preg_replace('/(?:[\x00-\x1f\x7f]|\xc2[\x80-\x9f])+/', ' ', $this->detail));
        if (preg_match('/^.{' . self::MOST . '}(?=.)/su', $detail, $beginning) === 1) {
            $detail = "$beginning[0]…";
        }

        return $detail === '' ? '' : " ($detail" . ($this->place === '' ? '' : " in $this->place") . ')';
    }
}
