<?php

declare(strict_types=1);

namespace Weft\Command\Control;

use Weft\Command\Identity;

/**
 * Where control sockets are when nobody says otherwise: in a directory that is this user's alone, so that nobody else can
 * put a socket of his own there.
 *
 * @internal
 */
final class Directory
{
    /** Seconds after which a socket that nobody listens on was left behind. */
    private const LEFT_AFTER = 60;
    /** As errno(3) has it; a constant of an extension that may be missing. */
    private const REFUSED = 111;

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
            '/tmp/weft-' . Identity::user(),
        ];
    }

    /**
     * Where a command looks for servers: for root also where those of other users are that root or systemd has started.
     *
     * @return list<string>
     */
    public static function looked(): array
    {
        return array_values(array_unique([...self::candidates(), ...(Identity::isRoot() ? ['/run/weft', ...(glob('/run/weft-*', GLOB_ONLYDIR) ?: [])] : [])]));
    }

    /**
     * Whether this user may take what listens there for a server: nobody but a directory's owner has put it there, and root
     * trusts whoever root has given a directory in /run.
     */
    public static function isTrusted(string $directory): bool
    {
        return self::isOurs($directory) || (Identity::isRoot() && str_starts_with($directory, '/run/weft') && self::isClosed($directory));
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
                self::sweep($directory);

                return $directory;
            }
        }

        return null;
    }

    /**
     * For a server that root starts as another user.
     */
    public static function of(string $user): string
    {
        return "/run/weft-$user";
    }

    /**
     * The place of a server that becomes that user, made if need be; null: it can't be.
     */
    public static function makeFor(string $user): ?string
    {
        $directory = self::of($user);
        $made = !is_dir($directory) && @mkdir($directory, 0o700);
        if ($made && !@chown($directory, ctype_digit($user) ? (int) $user : $user)) {
            rmdir($directory);
        }
        $status = @lstat($directory);

        return is_array($status) && ($status['mode'] & 0o170022) === 0o040000 && $status['uid'] === self::number($user) ? $directory : null;
    }

    /**
     * A server that was killed leaves its socket behind. One that starts has made its own a moment ago, and may not listen yet.
     */
    private static function sweep(string $directory): void
    {
        foreach (glob("$directory/*.sock") ?: [] as $path) {
            if (@filetype($path) === 'socket' && @filemtime($path) < time() - self::LEFT_AFTER && !self::isListenedOn($path)) {
                @unlink($path);
            }
        }
    }

    private static function isListenedOn(string $path): bool
    {
        $stream = @stream_socket_client("unix://$path", $error, timeout: 1.0);

        return $stream !== false || $error !== self::REFUSED;
    }

    /**
     * Whether it is a directory of this user's into which nobody else may write.
     */
    public static function isOurs(string $directory): bool
    {
        clearstatcache();
        $status = @lstat($directory);

        return $status !== false && self::isClosed($directory) && $status['uid'] === Identity::user();
    }

    private static function isClosed(string $directory): bool
    {
        clearstatcache();
        $status = @lstat($directory);

        return $status !== false && ($status['mode'] & 0o170022) === 0o040000;
    }

    private static function number(string $user): int
    {
        $known = ctype_digit($user) || !function_exists('posix_getpwnam') ? false : posix_getpwnam($user);

        return is_array($known) ? $known['uid'] : (int) $user;
    }
}
