<?php

declare(strict_types=1);

namespace Weft\Command;

/**
 * The PHP of this process, to be started again with the same options.
 *
 * @internal
 */
final class PhpCommandLine
{
    /** Of a worker, shared by all requests that run in it; where php.ini sets none. */
    private const MEMORY_LIMIT = '128M';

    /**
     * @param list<string> $options what stood between the PHP binary and the script: -d name=value, -c, -n …
     */
    public function __construct(
        public readonly string $binary,
        public readonly array $options,
    ) {
    }

    /**
     * Read from /proc, since PHP doesn't tell a script which options PHP itself was given.
     *
     * @param list<string> $scriptArguments $argv: the script and what follows
     */
    public static function ofThisProcess(array $scriptArguments): self
    {
        $line = is_readable('/proc/self/cmdline') ? file_get_contents('/proc/self/cmdline') : false;
        $words = $line === false ? [] : explode("\0", rtrim($line, "\0"));

        return new self(PHP_BINARY, self::optionsIn($words, $scriptArguments));
    }

    /**
     * @param list<string> $words the whole command line
     * @param list<string> $scriptArguments
     * @return list<string>
     */
    public static function optionsIn(array $words, array $scriptArguments): array
    {
        $before = array_slice($words, 1, max(0, count($words) - 1 - (count($scriptArguments) - 1)));
        if (end($before) === '--') {
            array_pop($before);
        }
        array_pop($before);
        if (in_array(end($before), ['-f', '--file', '--'], true)) {
            array_pop($before);
        }

        return $before;
    }

    /**
     * @return list<string> the binary and its options
     */
    public function words(): array
    {
        return [$this->binary, ...$this->options];
    }

    public function withDirective(string $directive): self
    {
        return new self($this->binary, [...$this->options, '-d', $directive]);
    }

    /**
     * The zygote's command line: what a server needs first, so that everything the user set overrides it.
     *
     * @param list<string> $directives the user's, each name=value
     * @return list<string>
     */
    public function forZygote(string $script, array $directives): array
    {
        // request data must be there before anybody asks, since each request has its own
        $server = ['auto_globals_jit=0'];
        // a server's cache, whatever php.ini says of command lines: apc.enabled=0 switches it off
        $server[] = 'apc.enable_cli=1';
        // the command line's php.ini often has no limit; this one is PHP's own and PHP-FPM's
        if (ini_get('memory_limit') === '-1') {
            $server[] = 'memory_limit=' . self::MEMORY_LIMIT;
        }
        if (get_cfg_var('opcache.enable_cli') === false) {
            $server[] = 'opcache.enable_cli=1';
        }

        return [$this->binary, ...self::defining($server), ...$this->options, ...self::defining($directives), $script];
    }

    /**
     * @param list<string> $directives
     * @return list<string>
     */
    private static function defining(array $directives): array
    {
        $words = [];
        foreach ($directives as $directive) {
            array_push($words, '-d', $directive);
        }

        return $words;
    }
}
