<?php

declare(strict_types=1);

/**
 * One answer of the server. `complete` is false when the connection ended in its body.
 */
final class Answer
{
    /** @param array<string, list<string>> $headers in lower case */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
        public readonly bool $complete,
    ) {
    }

    public function header(string $name): ?string
    {
        return $this->headers[$name][0] ?? null;
    }
}
