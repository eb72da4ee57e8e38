<?php

declare(strict_types=1);

namespace Weft\TestSupport;

use CURLStringFile;

/** A request that an identity wants to send. Its journey gets the Reply. */
final class Ask
{
    /**
     * @param array<string, string> $headers
     * @param string|array<string, string|CURLStringFile>|null $body an array: a form with files in it
     */
    private function __construct(
        public readonly string $path,
        public readonly array $headers = [],
        public readonly string|array|null $body = null,
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
     * @param array<string, string|list<string>|array<string, string>> $fields
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

    /**
     * A form that sends a file as well.
     *
     * @param array<string, string> $fields
     * @param array<string, string> $headers
     */
    public static function upload(string $path, array $fields, string $field, string $name, string $type, string $content, array $headers = []): self
    {
        return new self($path, $headers, [...$fields, $field => new CURLStringFile($content, $name, $type)]);
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
