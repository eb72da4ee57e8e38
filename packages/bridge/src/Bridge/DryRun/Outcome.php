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
    public function __construct(
        public readonly int $status,
        /** where a redirect leads to, or what was thrown; empty: neither */
        public readonly string $detail,
        public readonly int $bytes,
        public readonly string $body = '',
        /** @var list<string> */
        public readonly array $headers = [],
    ) {
    }

    /**
     * The detail in brackets, for the end of a sentence; empty when there is none.
     */
    public function because(): string
    {
        return $this->detail === '' ? '' : " ($this->detail)";
    }
}
