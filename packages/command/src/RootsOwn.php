<?php

declare(strict_types=1);

namespace Weft\Command;

/**
 * Whether nobody but root can change a file, or put another in its place.
 *
 * @internal
 */
final class RootsOwn
{
    private const LINK = 0o120000;
    private const DIRECTORY = 0o040000;
    private const KIND = 0o170000;
    private const STICKY = 0o1000;
    private const WRITABLE_BY_OTHERS = 0o022;

    /**
     * What lets somebody else do so, in words; null: nothing. It is the file, a directory that it is in, or a link on the way.
     */
    public static function problem(string $path): ?string
    {
        clearstatcache();
        foreach (array_unique([...self::way($path), ...self::way((string) realpath($path))]) as $part) {
            $problem = self::problemOf($part);
            if ($problem !== null) {
                return $problem;
            }
        }

        return null;
    }

    /**
     * "/a/b" gives "/a/b", "/a" and "/".
     *
     * @return list<string>
     */
    private static function way(string $path): array
    {
        $way = [];
        for ($part = $path; $part !== '/' && $part !== '.' && $part !== ''; $part = dirname($part)) {
            $way[] = $part;
        }

        return [...$way, str_starts_with($path, '/') ? '/' : '.'];
    }

    private static function problemOf(string $part): ?string
    {
        $status = @lstat($part);
        if ($status === false) {
            return "$part can't be looked at";
        }
        $kind = $status['mode'] & self::KIND;
        // in a sticky directory, as /tmp, nobody can replace what is another's
        $sticky = $kind === self::DIRECTORY && ($status['mode'] & self::STICKY) !== 0;
        // the mode of a link says nothing
        if ($kind !== self::LINK && !$sticky && ($status['mode'] & self::WRITABLE_BY_OTHERS) !== 0) {
            return "others than root may write to $part";
        }

        return $status['uid'] === 0 ? null : "$part belongs to user {$status['uid']}";
    }
}
