<?php

declare(strict_types=1);

namespace Weft\ExtensionTests;

use Weft\TestSupport\Program;

/**
 * Where calls with made-up arguments can do no harm: no network, no shared memory or processes of others, files of its own
 * only (as the user "nobody", where root started it), little memory and little time. Daemons that are started end with it.
 */
final class Sandbox
{
    private const SECONDS = 40;
    private const MEMORY = 6 << 30;

    public function __construct(private readonly Debian $debian)
    {
    }

    /**
     * @param list<string> $options of PHP
     * @param list<string> $command the script and its arguments
     * @param bool $isQuiet what it prints is not kept: libraries print a lot when they debug themselves
     * @return array{int, string} the status, above 128 for a signal, and what it printed
     */
    public function run(array $options, array $command, string $directory, bool $isQuiet = false): array
    {
        $isRoot = posix_geteuid() === 0;
        [$status, $output, $errors] = Program::run(
            [
                'unshare', '--net', '--ipc', '--pid', '--fork', '--kill-child', ...($isRoot ? [] : ['--user', '--map-root-user']),
                ...($isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []),
                'prlimit', '--core=0', '--as=' . self::MEMORY, '--fsize=' . (64 << 20), '--',
                'timeout', '--kill-after=2', (string) self::SECONDS,
                ...($isQuiet ? ['sh', '-c', 'exec "$0" "$@" > /dev/null 2>&1'] : []),
                PHP_BINARY, '-n', '-d', 'memory_limit=1G', '-d', 'display_errors=stderr', ...$options, ...$command,
            ],
            $directory,
            $this->debian->environment() + ['HOME' => $directory, 'TMPDIR' => $directory, 'TZ' => 'UTC', 'LC_ALL' => 'C.UTF-8'],
        );

        return [$status, $output . $errors];
    }
}
