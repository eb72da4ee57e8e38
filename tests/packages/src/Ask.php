<?php

declare(strict_types=1);

namespace Weft\PackageTests;

/** A request that an identity wants to send. Its journey gets the Reply. */
final class Ask
{
    /**
     * @param array<string, string> $headers
     */
    private function __construct(
        public readonly string $path,
        public readonly array $headers = [],
        public readonly ?string $body = null,
        public readonly bool $cookies = true,
    ) {
    }

    /**
     * @param array<string, string> $headers
     */
    public static function get(string $path, array $headers = []): self
    {
        return new self($path, $headers);
    }

    /**
     * @param array<string, string> $fields
     * @param array<string, string> $headers
     */
    public static function post(string $path, array $fields, array $headers = []): self
    {
        return new self($path, $headers, http_build_query($fields));
    }

    /**
     * @param array<string, mixed> $data
     * @param array<string, string> $headers
     */
    public static function json(string $path, array $data, array $headers = []): self
    {
        return new self($path, ['Content-Type' => 'application/json', 'Accept' => 'application/json', ...$headers], json_encode($data, JSON_THROW_ON_ERROR));
    }

    public function withoutCookies(): self
    {
        return new self($this->path, $this->headers, $this->body, false);
    }

    public function method(): string
    {
        return $this->body === null ? 'GET' : 'POST';
    }
}
