<?php

declare(strict_types=1);

namespace Weft\Command\Control;

/**
 * Where control sockets are when nobody says otherwise: in a directory that is this user's alone, so that nobody else can
 * put a socket of his own there.
 *
 * @internal
 */
final class Directory
{
    /**
     * The places, the best first.
     *
     * @return list<string>
     */
    public static function candidates(): array
    {
        $runtime = (string) getenv('XDG_RUNTIME_DIR');

        return [
            ...(str_starts_with($runtime, '/') ? ["$runtime/weft"] : []),
            '/run/weft',
            '/tmp/weft-' . self::user(),
        ];
    }

    /**
     * The first place that can be used, made if need be; null: none can.
     */
    public static function make(): ?string
    {
        foreach (self::candidates() as $directory) {
            // two servers may start at once
            if (!is_dir($directory) && is_writable(dirname($directory))) {
                @mkdir($directory, 0o700);
            }
            if (self::isOurs($directory)) {
                return $directory;
            }
        }

        return null;
    }

    /**
     * Whether it is a directory of this user's into which nobody else may write.
     */
    public static function isOurs(string $directory): bool
    {
        clearstatcache();
        $status = @lstat($directory);

        return $status !== false && ($status['mode'] & 0o170000) === 0o040000 && $status['uid'] === self::user() && ($status['mode'] & 0o022) === 0;
    }

    private static function user(): int
    {
        return function_exists('posix_geteuid') ? posix_geteuid() : (int) fileowner('/proc/self/');
    }
}
