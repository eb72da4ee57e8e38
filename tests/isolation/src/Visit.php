<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

/** One request that is going to be sent. */
final class Visit
{
    public const HOST = 'isolation.test';

    /**
     * @param string $path below the behaviour's own
     * @param array<string, string> $query
     * @param array<string, string>|null $fields of a form; null for GET
     * @param array<string, string> $headers
     * @param array<string, string> $cookies besides those of the jar
     */
    public function __construct(
        public readonly Identity $who,
        public readonly string $path = '',
        public readonly array $query = [],
        public readonly ?array $fields = null,
        public readonly array $headers = [],
        public readonly array $cookies = [],
        public readonly string $host = self::HOST,
    ) {
    }

    public function uri(): string
    {
        return "/{$this->who->behaviour}/{$this->who->number}$this->path" . ($this->query === [] ? '' : '?' . http_build_query($this->query));
    }

    /**
     * Headers that the application's side needs to know who this is, beside the visit's own.
     *
     * @return array<string, string>
     */
    public function allHeaders(int $seed): array
    {
        return [
            'Host' => $this->host,
            'Accept' => 'application/json',
            'X-Step' => (string) $this->who->step,
            'X-Round' => (string) $this->who->round,
            'X-Seed' => (string) $seed,
            ...$this->headers,
        ];
    }
}
