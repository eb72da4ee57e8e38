<?php

declare(strict_types=1);

namespace Weft\Bench;

/** What a server answered. */
final class Answer
{
    /** @param array<string, string> $headers by their names in lower case */
    public function __construct(public readonly int $status, public readonly array $headers, public readonly string $body)
    {
    }

    /** @param string $head status line and header lines */
    public static function of(string $head, string $body): self
    {
        $headers = [];
        foreach (explode("\r\n", $head) as $line) {
            if (preg_match('/^([^:\s]+):\s*(.*?)\s*$/', $line, $match) === 1) {
                $headers[strtolower($match[1])] = $match[2];
            }
        }

        return new self(preg_match('~^HTTP/\S+ (\d+)~', $head, $match) === 1 ? (int) $match[1] : 0, $headers, $body);
    }

    public function header(string $name): string
    {
        return $this->headers[strtolower($name)] ?? '';
    }

    /** What the body says, if it is JSON. */
    public function json(): mixed
    {
        return json_decode($this->body, true);
    }
}
