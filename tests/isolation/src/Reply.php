<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

/** What came back, and its normal form: without what differs from one time to the next for good reason. */
final class Reply
{
    private const IGNORED = [
        'connection', 'content-length', 'date', 'host', 'keep-alive', 'server', 'set-cookie', 'transfer-encoding', 'x-powered-by',
    ];
    /** Their values are random, or change with the time. */
    private const OPAQUE = ['isolation_session', 'XSRF-TOKEN'];

    /**
     * @param array<string, list<string>> $headers by lower-case name
     */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
    ) {
    }

    /**
     * @return array<string, string> name to raw value
     */
    public function cookies(): array
    {
        $cookies = [];
        foreach ($this->headers['set-cookie'] ?? [] as $line) {
            [$name, $value] = explode('=', explode(';', $line)[0], 2) + [1 => ''];
            $cookies[trim($name)] = rawurldecode($value);
        }

        return $cookies;
    }

    public function normal(CookieReader $reader): string
    {
        $lines = [];
        foreach (array_diff_key($this->headers, array_flip(self::IGNORED)) as $name => $values) {
            foreach ($values as $value) {
                $lines[] = "$name: $value";
            }
        }
        foreach ($this->headers['set-cookie'] ?? [] as $line) {
            $lines[] = 'set-cookie: ' . self::normalCookie($line, $reader);
        }
        sort($lines);

        return "$this->status\n" . implode("\n", $lines) . "\n\n$this->body\n";
    }

    private static function normalCookie(string $line, CookieReader $reader): string
    {
        $parts = array_map(trim(...), explode(';', $line));
        [$name, $value] = explode('=', (string) array_shift($parts), 2) + [1 => ''];
        $value = in_array($name, self::OPAQUE, true) ? '(random)' : $reader->read($name, rawurldecode($value));
        $attributes = array_filter($parts, static fn (string $part): bool => preg_match('/^(expires|max-age)=/i', $part) !== 1);

        return strtolower("$name=") . $value . '; ' . strtolower(implode('; ', $attributes));
    }
}
