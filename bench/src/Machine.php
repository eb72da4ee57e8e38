<?php

declare(strict_types=1);

namespace Weft\Bench;

/** What a reader has to know to judge a figure. */
final class Machine
{
    /**
     * @param array<string, string> $facts
     * @param array<string, string> $versions
     */
    private function __construct(
        public readonly string $commit,
        public readonly int $cores,
        public readonly array $facts,
        public readonly array $versions,
    ) {
    }

    public static function describe(string $root): self
    {
        $cpu = preg_match('/^model name\s*:\s*(.+)$/m', (string) file_get_contents('/proc/cpuinfo'), $match) === 1 ? $match[1] : 'unknown';
        $cores = (int) preg_match_all('/^processor/m', (string) file_get_contents('/proc/cpuinfo')) ?: 1;
        $memory = preg_match('/^MemTotal:\s+(\d+)/m', (string) file_get_contents('/proc/meminfo'), $match) === 1 ? (int) $match[1] : 0;
        $system = preg_match('/^PRETTY_NAME="(.*)"$/m', (string) @file_get_contents('/etc/os-release'), $match) === 1 ? $match[1] : PHP_OS;
        $commit = self::version(['git', '-C', $root, 'rev-parse', '--short=12', 'HEAD'], '/^([0-9a-f]+)$/');
        $changed = Program::run(['git', '-C', $root, 'status', '--porcelain', '--untracked-files=no'])[1] !== '';

        return new self(
            $commit . ($changed ? ' (+changes)' : ''),
            $cores,
            ['cpu' => $cpu, 'cores' => (string) $cores, 'memory' => sprintf('%.0f GiB', $memory / 1048576), 'kernel' => php_uname('r'), 'os' => $system,
                'load_before' => trim((string) @file_get_contents('/proc/loadavg', length: 14))],
            array_filter([
                'php' => PHP_VERSION,
                'nginx' => self::version(['/usr/sbin/nginx', '-v'], '~nginx/(\S+)~'),
                'postgresql' => self::version(['psql', '--version'], '/([0-9.]+)/'),
                'wrk' => self::version(['wrk', '-v'], '/wrk (\S+)/'),
                'h2load' => self::version(['h2load', '--version'], '~nghttp2/(\S+)~'),
                'compiler' => self::version(['cc', '--version'], '/^(.*)$/m'),
            ]),
        );
    }

    /** @param list<string> $command */
    private static function version(array $command, string $pattern): string
    {
        return preg_match($pattern, trim(Program::run($command)[1]), $match) === 1 ? $match[1] : '';
    }
}
