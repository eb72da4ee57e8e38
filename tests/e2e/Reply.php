<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

/** What came back for a request; status 0 when nothing did. */
final class Reply
{
    /**
     * @param array<string, list<string>> $headers by lower-case name
     */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
        public readonly int $pieces,
        public readonly string $error,
    ) {
    }

    public function header(string $name): string
    {
        return $this->headers[$name][0] ?? '';
    }

    /** @return array<mixed> */
    public function json(): array
    {
        $value = json_decode($this->body, true);

        return is_array($value) ? $value : [];
    }

    public function text(string $key): string
    {
        $value = $this->json()[$key] ?? null;

        return is_scalar($value) ? (string) $value : '';
    }
}
