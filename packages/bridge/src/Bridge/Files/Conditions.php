<?php

declare(strict_types=1);

namespace Weft\Bridge\Files;

use DateTimeImmutable;
use DateTimeZone;

/**
 * What a request asks of a file's state (RFC 9110, 13): its If-* headers and its Range, as $_SERVER has them.
 *
 * @internal
 */
final class Conditions
{
    /** What HTTP-date allows: today's form, that of RFC 850, that of asctime(). */
    private const DATES = ['!D, d M Y H:i:s \G\M\T', '!l, d-M-y H:i:s \G\M\T', '!D M j H:i:s Y'];

    /**
     * @param array<array-key, mixed> $server
     */
    public function __construct(private readonly array $server)
    {
    }

    /**
     * 304 or 412 when the file should not be sent, in the order of 13.2.2; else null.
     */
    public function status(string $etag, int $modified, int $now): ?int
    {
        $match = $this->header('IF_MATCH');
        if ($match !== null) {
            if (!self::lists($match, $etag, true)) {
                return 412;
            }
        } elseif ($modified > (self::time($this->header('IF_UNMODIFIED_SINCE')) ?? PHP_INT_MAX)) {
            return 412;
        }
        $noneMatch = $this->header('IF_NONE_MATCH');
        if ($noneMatch !== null) {
            return self::lists($noneMatch, $etag, false) ? 304 : null;
        }
        $since = self::time($this->header('IF_MODIFIED_SINCE'));

        // a date of the future says nothing about what the client has
        return $since !== null && $since <= $now && $modified <= $since ? 304 : null;
    }

    /**
     * The first byte and the number of bytes that Range asks for: [0, 0] when the file has none of them, null when all
     * of it is to be sent. So are several ranges, which a server may ignore.
     *
     * @return array{int, int}|null
     */
    public function range(string $etag, int $modified, int $size): ?array
    {
        if (preg_match('/^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/iD', $this->header('RANGE') ?? '', $match) !== 1 || !$this->ifRange($etag, $modified)) {
            return null;
        }
        [, $first, $last] = $match;
        if ($first === '') {
            $length = min((int) $last, $size);

            return $last === '' ? null : [$size - $length, $length];
        }
        if ($last !== '' && (int) $last < (int) $first) {
            return null;
        }
        $end = $last === '' ? $size - 1 : min((int) $last, $size - 1);

        return (int) $first > $end ? [0, 0] : [(int) $first, $end - (int) $first + 1];
    }

    /**
     * Whether what the client has a part of is still what the file is. Only a strong validator proves that.
     */
    private function ifRange(string $etag, int $modified): bool
    {
        $condition = $this->header('IF_RANGE');
        if ($condition === null || str_starts_with($etag, 'W/')) {
            return $condition === null;
        }

        return $condition === $etag || self::time($condition) === $modified;
    }

    /**
     * Whether a list of entity tags holds this one.
     */
    private static function lists(string $list, string $etag, bool $strong): bool
    {
        if ($list === '*') {
            return true;
        }
        preg_match_all('/(?:W\/)?"[^"]*"/', $list, $tags);
        if ($strong) {
            return !str_starts_with($etag, 'W/') && in_array($etag, $tags[0], true);
        }
        $plain = static fn (string $tag): string => str_starts_with($tag, 'W/') ? substr($tag, 2) : $tag;

        return in_array($plain($etag), array_map($plain, $tags[0]), true);
    }

    /**
     * Null for what is no date: RFC 9110 wants it ignored.
     */
    private static function time(?string $date): ?int
    {
        $utc = new DateTimeZone('UTC');
        foreach ($date === null ? [] : self::DATES as $format) {
            $time = DateTimeImmutable::createFromFormat($format, (string) preg_replace('/ +/', ' ', (string) $date), $utc);
            if ($time !== false && DateTimeImmutable::getLastErrors() === false) {
                return $time->getTimestamp();
            }
        }

        return null;
    }

    private function header(string $name): ?string
    {
        $value = $this->server["HTTP_$name"] ?? null;

        return is_string($value) ? trim($value) : null;
    }
}
