<?php

declare(strict_types=1);

namespace Weft\Command;

/**
 * Finds out from /proc which process listens on a TCP port.
 *
 * @internal
 */
final class PortOwner
{
    private const STATE_LISTEN = '0A';

    /**
     * "process 4711 (nginx: master process)", or null when it can't be known (another user's process, say).
     */
    public function describe(int $port): ?string
    {
        $inodes = $this->listeningSockets($port);
        foreach ($inodes === [] ? [] : $this->processes() as $pid) {
            if ($this->holds($pid, $inodes)) {
                return "process $pid" . $this->commandOf($pid);
            }
        }

        return null;
    }

    /**
     * @return array<string, true> by "socket:[inode]", as the links in /proc/PID/fd read
     */
    private function listeningSockets(int $port): array
    {
        $sockets = [];
        $end = sprintf(':%04X', $port);
        foreach (['/proc/net/tcp', '/proc/net/tcp6'] as $file) {
            $lines = is_readable($file) ? file($file) : false;
            foreach (array_slice($lines === false ? [] : $lines, 1) as $line) {
                $columns = preg_split('/\s+/', trim($line));
                if (is_array($columns) && count($columns) > 9 && str_ends_with($columns[1], $end) && $columns[3] === self::STATE_LISTEN) {
                    $sockets["socket:[$columns[9]]"] = true;
                }
            }
        }

        return $sockets;
    }

    /**
     * @return list<int>
     */
    private function processes(): array
    {
        // the supervisor's PHP has no extension that could be left out, so no ctype either
        $names = array_filter(scandir('/proc') ?: [], static fn (string $name): bool => preg_match('/^\d+$/D', $name) === 1);
        $pids = array_map(intval(...), $names);

        // this process may have inherited the very socket
        return array_values(array_diff($pids, [getmypid()]));
    }

    /**
     * @param array<string, true> $sockets
     */
    private function holds(int $pid, array $sockets): bool
    {
        // a process may end, or be another user's, while we look
        $descriptors = @scandir("/proc/$pid/fd");
        foreach ($descriptors === false ? [] : $descriptors as $descriptor) {
            $link = @readlink("/proc/$pid/fd/$descriptor");
            if ($link !== false && isset($sockets[$link])) {
                return true;
            }
        }

        return false;
    }

    private function commandOf(int $pid): string
    {
        $line = @file_get_contents("/proc/$pid/cmdline");
        $words = $line === false ? '' : trim(str_replace("\0", ' ', $line));

        return $words === '' ? '' : ' (' . (strlen($words) > 80 ? substr($words, 0, 77) . '...' : $words) . ')';
    }
}
