<?php

declare(strict_types=1);

namespace Weft\Bench;

/** What a process's memory is made of, by /proc/PID/smaps: bytes of PSS for each part. */
final class MemoryMap
{
    public const PARTS = [
        'opcache' => 'OPcache',
        'heap' => 'PHP heap',
        'malloc' => 'malloc',
        'written' => 'written library pages',
        'clean' => 'code and clean pages of files',
        'other' => 'stacks and the rest',
    ];

    /** PHP's allocator takes chunks of this size, aligned to it. */
    private const CHUNK = 2 << 20;

    /** @return array<string, int> by the keys of PARTS */
    public static function of(int ...$pids): array
    {
        $sum = array_fill_keys(array_keys(self::PARTS), 0);
        foreach ($pids as $pid) {
            foreach (self::mappings((string) @file_get_contents("/proc/$pid/smaps")) as [$part, $pss]) {
                $sum[$part] += $pss;
            }
        }

        return $sum;
    }

    /** @return list<array{string, int}> part and PSS of each mapping */
    private static function mappings(string $smaps): array
    {
        preg_match_all('/^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \d+ *(.*)\n((?:\w+:.*\n)*)/m', $smaps, $mappings, PREG_SET_ORDER);
        $found = [];
        foreach ($mappings as [, $from, $to, $mode, $name, $fields]) {
            preg_match_all('/^(\w+): +(\d+) kB$/m', $fields, $values);
            $kb = array_combine($values[1], array_map('intval', $values[2]));
            $found[] = [self::part((int) hexdec($from), (int) hexdec($to), $mode, $name, $kb['Anonymous'] ?? 0), 1024 * ($kb['Pss'] ?? 0)];
        }

        return $found;
    }

    private static function part(int $from, int $to, string $mode, string $name, int $anonymous): string
    {
        return match (true) {
            str_ends_with($mode, 's') => str_starts_with($name, '/dev/zero') ? 'opcache' : 'other',
            $name === '[heap]' => 'malloc',
            str_starts_with($name, '/') => $anonymous > 0 ? 'written' : 'clean',
            // coroutines' stacks lie in mappings of such sizes too, but not aligned so
            $name === '' && $from % self::CHUNK === 0 && ($to - $from) % self::CHUNK === 0 => 'heap',
            default => 'other',
        };
    }
}
