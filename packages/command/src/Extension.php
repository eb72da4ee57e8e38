<?php

declare(strict_types=1);

namespace Weft\Command;

/**
 * Makes sure that the extension is there: loaded already, or in one of the places where it is looked for.
 *
 * @internal
 */
final class Extension
{
    /**
     * @param array<string, string> $places where it is looked for when it is not loaded: file by what it is to people
     */
    public function __construct(
        private readonly PhpCommandLine $php,
        private readonly array $places,
    ) {
    }

    /**
     * Where WEFT_EXTENSION says, and nowhere else then; in PHP's own directory of extensions; where a checkout builds it.
     */
    public static function of(PhpCommandLine $php): self
    {
        $named = (string) getenv('WEFT_EXTENSION');
        if ($named !== '') {
            return new self($php, ['WEFT_EXTENSION' => $named]);
        }
        $places = ["PHP's extension_dir" => ini_get('extension_dir') . '/weft.so'];
        $root = dirname(__DIR__, 3);
        // a package in somebody's vendor/ has none
        if (is_dir("$root/ext/weft")) {
            $places['the build of this checkout'] = "$root/var/build/modules/weft.so";
        }

        return new self($php, $places);
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
            return $this->found();
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
        $file = $this->found();
        if ($file === null) {
            throw new UsageError($this->missing());
        }
        $php = $this->php->withDirective("extension=$file");
        $problem = $this->problemWith($php);
        if ($problem !== null) {
            throw new UsageError(
                "The weft extension at $file can't be loaded into PHP " . PHP_VERSION . " ($php->binary):\n$problem\n" .
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

    private function found(): ?string
    {
        foreach ($this->places as $file) {
            if (is_file($file)) {
                // a relative one means something else to PHP
                return realpath($file) ?: $file;
            }
        }

        return null;
    }

    private function missing(): string
    {
        $looked = '';
        foreach ($this->places as $what => $file) {
            $looked .= "  $file ($what)\n";
        }

        return 'The weft extension is not loaded into PHP ' . PHP_VERSION . " ({$this->php->binary}), and it is not where it was looked for:\n$looked" .
            'Build it with "make build", load an installed one (php -d extension=weft.so bin/weft serve …), or say where it is: WEFT_EXTENSION=/path/to/weft.so';
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
