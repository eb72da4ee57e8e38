<?php

declare(strict_types=1);

namespace Weft\Upstream;

/** A test that did not come out the same at once. */
final class Finding
{
    /**
     * @param list<string> $plain the outcomes in plain PHP
     * @param list<string> $outcomes those in this mode
     */
    public function __construct(
        public readonly string $test,
        public readonly Mode $mode,
        public readonly Verdict $verdict,
        public readonly array $plain,
        public readonly array $outcomes,
        public readonly string $reason = '',
    ) {
    }

    public function text(): string
    {
        return sprintf(
            '%s: %s, in mode %s: %s (plain: %s)%s',
            $this->verdict->value,
            $this->test,
            $this->mode->value,
            implode(', ', $this->outcomes),
            implode(', ', $this->plain),
            $this->reason === '' ? '' : " - $this->reason",
        );
    }
}
