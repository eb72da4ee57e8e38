<?php

declare(strict_types=1);

namespace Weft\Bench;

/** What the memory of processes is made of, by /proc/PID/smaps: MiB of PSS for each part, by the keys of Metric. */
final class MemoryMap
{
    /** PHP's allocator takes chunks of this size, aligned to it. */
    private const CHUNK = 2 << 20;

    /** @return array<string, float> */
    public static function of(ProcessTree $tree): array
    {
        $sum = array_fill_keys(['part_opcache', 'part_heap', 'part_malloc', 'part_written', 'part_clean', 'part_other'], 0.0);
        foreach ($tree->pids() as $pid) {
            preg_match_all('/^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \d+ *(.*)\n((?:\w+:.*\n)*)/m', (string) @file_get_contents("/proc/$pid/smaps"), $mappings, PREG_SET_ORDER);
            foreach ($mappings as [, $from, $to, $mode, $name, $fields]) {
                $kilobytes = static fn (string $key): int => preg_match("/^$key: +(\d+) kB$/m", $fields, $match) === 1 ? (int) $match[1] : 0;
                $part = self::part((int) hexdec($from), (int) hexdec($to), $mode, $name, $kilobytes('Anonymous'));
                $sum[$part] += $kilobytes('Pss') / 1024;
            }
        }

        return $sum;
    }

    private static function part(int $from, int $to, string $mode, string $name, int $anonymous): string
    {
        return match (true) {
            str_ends_with($mode, 's') => str_starts_with($name, '/dev/zero') ? 'part_opcache' : 'part_other',
            $name === '[heap]' => 'part_malloc',
            str_starts_with($name, '/') => $anonymous > 0 ? 'part_written' : 'part_clean',
            // coroutines' stacks lie in mappings of such sizes too, but not aligned so
            $name === '' && $from % self::CHUNK === 0 && ($to - $from) % self::CHUNK === 0 => 'part_heap',
            default => 'part_other',
        };
    }
}
