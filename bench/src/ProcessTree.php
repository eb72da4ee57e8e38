<?php

declare(strict_types=1);

namespace Weft\Bench;

/** A process and all its descendants at one moment, and what /proc knows of them. */
final class ProcessTree
{
    /** @param array<int, int> $started start time by process id, which tells a reused id from the one meant */
    private function __construct(public readonly array $started)
    {
    }

    public static function of(int ...$roots): self
    {
        $children = [];
        $started = [];
        foreach (glob('/proc/[0-9]*', GLOB_NOSORT) ?: [] as $dir) {
            $pid = (int) basename($dir);
            $stat = self::stat($pid);
            if ($stat !== null) {
                $children[(int) $stat[1]][] = $pid;
                $started[$pid] = (int) $stat[19];
            }
        }
        $family = [];
        $todo = array_values(array_filter($roots, static fn (int $pid): bool => isset($started[$pid])));
        while (($pid = array_pop($todo)) !== null) {
            $family[$pid] = $started[$pid];
            array_push($todo, ...($children[$pid] ?? []));
        }

        return new self($family);
    }

    /** @return list<int> */
    public function pids(): array
    {
        return array_keys($this->started);
    }

    /** @return list<int> those of this moment that still run */
    public function survivors(): array
    {
        $alive = [];
        foreach ($this->started as $pid => $start) {
            $stat = self::stat($pid);
            if ($stat !== null && $stat[0] !== 'Z' && (int) $stat[19] === $start) {
                $alive[] = $pid;
            }
        }

        return $alive;
    }

    /** Whether one of them listens on a port of 127.0.0.1 or of all addresses; somebody else on it does not count. */
    public function listensOn(int $port): bool
    {
        $sockets = [];
        $pattern = sprintf('/^ *\d+: \w+:%04X \w+:0000 0A(?: +\S+){5} +(\d+) /m', $port);
        foreach (['/proc/net/tcp', '/proc/net/tcp6'] as $table) {
            preg_match_all($pattern, (string) @file_get_contents($table), $matches);
            array_push($sockets, ...array_map(static fn (string $inode): string => "socket:[$inode]", $matches[1]));
        }
        foreach ($sockets === [] ? [] : $this->pids() as $pid) {
            foreach (glob("/proc/$pid/fd/*", GLOB_NOSORT) ?: [] as $descriptor) {
                if (in_array(@readlink($descriptor), $sockets, true)) {
                    return true;
                }
            }
        }

        return false;
    }

    /** Seconds of user and system time used so far, children that were reaped included. */
    public function cpuSeconds(): float
    {
        $ticks = 0;
        foreach ($this->pids() as $pid) {
            $stat = self::stat($pid);
            if ($stat !== null) {
                $ticks += (int) $stat[11] + (int) $stat[12] + (int) $stat[13] + (int) $stat[14];
            }
        }

        return $ticks / 100;
    }

    /** Seconds of user and system time of those that this process has started, and that have ended. */
    public static function reapedSeconds(): float
    {
        $stat = self::stat((int) getmypid()) ?? [];

        return ((int) ($stat[13] ?? 0) + (int) ($stat[14] ?? 0)) / 100;
    }

    /** @return array{Pss: int, Private: int} bytes of all: pages that are shared count once in the sum of Pss */
    public function memory(): array
    {
        $sum = ['Pss' => 0, 'Private' => 0];
        foreach ($this->pids() as $pid) {
            foreach (self::memoryOf($pid) as $key => $bytes) {
                $sum[$key] += $bytes;
            }
        }

        return $sum;
    }

    /** Proportional set size of all, in MiB. */
    public function pss(): float
    {
        return $this->memory()['Pss'] / 1048576;
    }

    public function descriptors(): int
    {
        return array_sum(array_map(static fn (int $pid): int => count(@scandir("/proc/$pid/fd") ?: []), $this->pids()));
    }

    /**
     * Private leaves out what is mapped for sharing (OPcache's scripts): the next process uses the same pages, even
     * when nobody else happens to have touched them.
     *
     * @return array{Pss: int, Private: int} bytes
     */
    public static function memoryOf(int $pid): array
    {
        $found = ['Pss' => 0, 'Private' => 0];
        preg_match_all(
            '/^[0-9a-f]+-[0-9a-f]+ ...([ps]) |^(Pss|Private_Clean|Private_Dirty|Private_Hugetlb):\s+(\d+) kB$/m',
            (string) @file_get_contents("/proc/$pid/smaps"),
            $lines,
            PREG_SET_ORDER,
        );
        $shared = false;
        foreach ($lines as $line) {
            $key = $line[2] ?? '';
            if ($key === '') {
                $shared = ($line[1] ?? '') === 's';
            } elseif ($key === 'Pss' || !$shared) {
                $found[$key === 'Pss' ? 'Pss' : 'Private'] += 1024 * (int) ($line[3] ?? 0);
            }
        }

        return $found;
    }

    /**
     * The children of the one process that has most of them: of bin/weft, where they hang below the zygote. With one
     * worker, supervisor and zygote have one child each, and the deepest is the worker.
     *
     * @return list<int>
     */
    public function workers(): array
    {
        $children = [];
        foreach ($this->pids() as $pid) {
            $parent = self::stat($pid)[1] ?? null;
            if ($parent !== null && (int) $parent !== getmypid()) {
                $children[(int) $parent][] = $pid;
            }
        }
        krsort($children);
        usort($children, static fn (array $a, array $b): int => count($b) <=> count($a));

        return $children[0] ?? [];
    }

    /** Nanoseconds that a process has had a CPU, by the scheduler's own account; that in stat counts in hundredths. */
    public static function onCpu(int $pid): int
    {
        return (int) @file_get_contents("/proc/$pid/schedstat");
    }

    /** @return list<string>|null the fields of /proc/PID/stat from the third (state) on */
    private static function stat(int $pid): ?array
    {
        $text = @file_get_contents("/proc/$pid/stat");

        // The second field is the program's name in parentheses, which may hold anything.
        return $text === false || $text === '' ? null : explode(' ', substr($text, (int) strrpos($text, ')') + 2));
    }
}
