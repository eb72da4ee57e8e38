<?php

declare(strict_types=1);

namespace Weft\Command;

/**
 * Makes sure that the extension is there: loaded already, or the one built in this tree.
 *
 * @internal
 */
final class Extension
{
    public function __construct(
        private readonly PhpCommandLine $php,
        private readonly string $built,
    ) {
    }

    public function isLoaded(): bool
    {
        return extension_loaded('weft');
    }

    /**
     * The shared object that has it; null when it is part of PHP, or can't be found out.
     */
    public function file(): ?string
    {
        if (!$this->isLoaded()) {
            return is_file($this->built) ? $this->built : null;
        }
        $maps = is_readable('/proc/self/maps') ? (string) file_get_contents('/proc/self/maps') : '';

        return preg_match('~ (/.*/weft\.so)$~m', $maps, $match) === 1 ? $match[1] : null;
    }

    /**
     * A PHP that has it, for another process.
     *
     * @throws UsageError
     */
    public function php(): PhpCommandLine
    {
        if ($this->isLoaded()) {
            return $this->php;
        }
        if (!is_file($this->built)) {
            throw new UsageError(
                "The weft extension is not loaded, and $this->built does not exist.\n" .
                'Build it with "make build", or load an installed one: php -d extension=weft.so bin/weft serve …',
            );
        }
        $php = $this->php->withDirective("extension=$this->built");
        $problem = $this->problemWith($php);
        if ($problem !== null) {
            throw new UsageError(
                "The weft extension at $this->built can't be loaded into PHP " . PHP_VERSION . " ($php->binary):\n$problem\n" .
                'Build it for this PHP with "make build".',
            );
        }

        return $php;
    }

    /**
     * Executes this command again with the extension; returns only when that is impossible.
     *
     * @param list<string> $scriptArguments
     * @throws UsageError
     */
    public function loadByExecutingAgain(array $scriptArguments): never
    {
        $php = $this->php();
        $words = [...$php->options, ...$scriptArguments];
        if (function_exists('pcntl_exec')) {
            pcntl_exec($php->binary, $words);
        }
        throw new UsageError(
            "The weft extension is not loaded, and this PHP can't execute itself again (it lacks pcntl). Start it so:\n" .
            implode(' ', array_map(escapeshellarg(...), [$php->binary, ...$words])),
        );
    }

    /**
     * What PHP says when it loads the extension; null when it loads.
     */
    private function problemWith(PhpCommandLine $php): ?string
    {
        $command = [$php->binary, ...$php->options, '-d', 'display_startup_errors=1', '-d', 'display_errors=1', '-d', 'html_errors=0', '-d', 'log_errors=0',
            '-r', 'exit(extension_loaded("weft") ? 0 : 1);'];
        $process = proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], ['file', '/dev/null', 'w']], $pipes);
        if ($process === false) {
            return "$php->binary can't be executed.";
        }
        $said = trim((string) stream_get_contents($pipes[1]));

        return proc_close($process) === 0 ? null : ($said === '' ? 'PHP gives no reason.' : $said);
    }
}
