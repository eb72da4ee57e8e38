<?php

declare(strict_types=1);

namespace Weft\Command\Control;

use Weft\Command\UsageError;

/**
 * Finds the server that is meant, among those that run.
 *
 * @internal
 */
final class Servers
{
    /**
     * @param list<string> $directories where their sockets are
     */
    public function __construct(private readonly array $directories)
    {
    }

    /**
     * The path of its control socket.
     *
     * @param ?string $app the path of its application; null: there is but one server
     * @throws UsageError when there is none, or more than one; or, without an application, one that does not answer: it may be
     *     the one that is meant
     */
    public function find(?string $app): string
    {
        $all = $this->running();
        $silent = array_filter($all, static fn (array $status): bool => $status === []);
        $found = array_filter($all, static fn (array $status): bool => $status !== [] && ($app === null || self::serves($status, $app)));
        if (count($found) === 1 && ($app !== null || $silent === [])) {
            return (string) array_key_first($found);
        }
        if ($silent !== [] && count($found) <= 1) {
            $unless = $app === null ? 'Name the application, or its socket' : 'Name its socket';
            throw new UsageError("A server does not answer, and may be the one that is meant. $unless:\n" . self::listed($all));
        }
        $of = $app === null ? '' : " of $app";
        $list = self::listed($found === [] || $app === null ? $all : $found);
        if ($found === []) {
            $looked = 'Looked for sockets in ' . implode(', ', $this->directories) . '.';
            throw new UsageError("No server$of runs. " . ($list === '' ? "$looked If it runs as another user, name its socket: --control=PATH" : "There are:\n$list"));
        }
        throw new UsageError("More than one server$of runs. Say which:\n$list");
    }

    /**
     * @return array<string, array<mixed>> their status, by socket; empty: it does not answer
     */
    private function running(): array
    {
        $running = [];
        foreach ($this->directories as $directory) {
            foreach (Directory::isTrusted($directory) ? glob("$directory/*.sock") ?: [] : [] as $path) {
                $status = Connection::open($path)?->ask('status');
                if ($status !== null || !Connection::isLeftBehind($path)) {
                    $running[$path] = $status ?? [];
                }
            }
        }

        return $running;
    }

    /**
     * @param array<mixed> $status
     */
    private static function serves(array $status, string $app): bool
    {
        $real = realpath($app);
        $given = is_string($status['application'] ?? null) ? $status['application'] : '';
        $release = is_string($status['release'] ?? null) ? $status['release'] : '';

        return in_array($app, [$given, $release], true) || ($real !== false && in_array($real, [$release, realpath($given)], true));
    }

    /**
     * @param array<string, array<mixed>> $servers
     */
    private static function listed(array $servers): string
    {
        $lines = [];
        foreach ($servers as $path => $status) {
            $about = $status === [] ? 'does not answer' : $status['application'] ?? null;
            $lines[] = "  --control=$path" . (is_string($about) ? "   $about" : '');
        }

        return implode("\n", $lines);
    }
}
