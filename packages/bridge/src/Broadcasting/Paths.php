<?php

declare(strict_types=1);

namespace Weft\Broadcasting;

/**
 * Which paths are the protocol's.
 *
 * @internal
 */
final class Paths
{
    /**
     * What is behind the prefix that all have (servers.reverb.path). Null: it is not there.
     */
    public static function within(string $prefix, string $path): ?string
    {
        return str_starts_with($path, "$prefix/") ? substr($path, strlen($prefix)) : null;
    }

    /** Of /app/{key}. */
    public static function key(string $path): ?string
    {
        return preg_match('~^/app/([^/]+)\z~', $path, $match) === 1 ? rawurldecode($match[1]) : null;
    }

    /**
     * Of what is below /apps/{id}.
     *
     * @return ?array{string, string} the id, and what is behind it
     */
    public static function api(string $path): ?array
    {
        return preg_match('~^/apps/([^/]+)(/.*)\z~s', $path, $match) === 1 ? [rawurldecode($match[1]), $match[2]] : null;
    }
}
