<?php

declare(strict_types=1);

namespace Weft\Bench;

/** What a reader has to know to judge a figure. */
final class Machine
{
    /** @param array<string, scalar> $facts */
    private function __construct(public readonly array $facts)
    {
    }

    public static function describe(string $root): self
    {
        $cpu = preg_match('/^model name\s*:\s*(.+)$/m', (string) file_get_contents('/proc/cpuinfo'), $match) === 1 ? $match[1] : 'unknown';
        $memory = preg_match('/^MemTotal:\s+(\d+)/m', (string) file_get_contents('/proc/meminfo'), $match) === 1 ? (int) $match[1] : 0;
        $system = preg_match('/^PRETTY_NAME="(.*)"$/m', (string) @file_get_contents('/etc/os-release'), $match) === 1 ? $match[1] : PHP_OS;
        $commit = self::firstLine(['git', '-C', $root, 'rev-parse', '--short=12', 'HEAD']);
        $dirty = self::firstLine(['git', '-C', $root, 'status', '--porcelain', '--untracked-files=no']) !== '';

        return new self([
            'commit' => $commit . ($dirty ? ' with changes' : ''),
            'cpu' => preg_match_all('/^processor/m', (string) file_get_contents('/proc/cpuinfo')) . " x $cpu",
            'memory' => sprintf('%.0f GiB', $memory / 1048576),
            'load before' => (string) @file_get_contents('/proc/loadavg', length: 14),
            'system' => $system,
            'kernel' => php_uname('r'),
            'vm.max_map_count' => (int) @file_get_contents('/proc/sys/vm/max_map_count'),
            'PHP' => PHP_VERSION,
            'nginx' => self::firstLine(['/usr/sbin/nginx', '-v']),
            'wrk' => self::firstLine(['wrk', '-v']),
            'PostgreSQL' => self::firstLine(['psql', '--version']),
        ]);
    }

    /** @param list<string> $command */
    private static function firstLine(array $command): string
    {
        try {
            [, $output] = @Workspace::capture($command);
        } catch (Failure) {
            return 'not installed';
        }

        return trim(strtok($output, "\n") ?: '');
    }
}
