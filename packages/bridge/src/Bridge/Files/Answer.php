<?php

declare(strict_types=1);

namespace Weft\Bridge\Files;

/**
 * What is answered to a request for a file: a status, headers, and which bytes of it.
 *
 * @internal
 */
final class Answer
{
    /**
     * @param array<string, string> $headers
     * @param int|null $length null: no bytes of the file, and nothing about its type
     */
    private function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly int $offset = 0,
        public readonly ?int $length = null,
    ) {
    }

    public static function to(Conditions $conditions, string $method, int $size, int $modified, int $now): self
    {
        $etag = self::etag($size, $modified, $now);
        $headers = ['Last-Modified' => gmdate('D, d M Y H:i:s', $modified) . ' GMT', 'ETag' => $etag, 'Accept-Ranges' => 'bytes'];
        $status = $conditions->status($etag, $modified, $now);
        if ($status !== null) {
            return new self($status, $headers);
        }
        // a range is defined for GET alone
        $range = $method === 'GET' ? $conditions->range($etag, $modified, $size) : null;
        if ($range === null) {
            return new self(200, ['Content-Length' => (string) $size] + $headers, 0, $size);
        }
        [$offset, $length] = $range;
        if ($length === 0) {
            return new self(416, ['Content-Range' => "bytes */$size"] + $headers);
        }
        $last = $offset + $length - 1;

        return new self(206, ['Content-Range' => "bytes $offset-$last/$size", 'Content-Length' => (string) $length] + $headers, $offset, $length);
    }

    /**
     * A file that was changed this second may change once more without its time or size showing it: its tag is weak.
     */
    private static function etag(int $size, int $modified, int $now): string
    {
        return ($now - $modified < 2 ? 'W/' : '') . sprintf('"%x-%x"', $modified, $size);
    }
}
