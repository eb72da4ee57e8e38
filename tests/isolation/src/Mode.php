<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

use InvalidArgumentException;

/** A way of running PHP and the application, under which nothing may differ. */
final class Mode
{
    private const WITHOUT_OPCACHE = ['opcache.enable=0', 'opcache.enable_cli=0'];
    private const OPCACHE = ['opcache.enable=1', 'opcache.enable_cli=1', 'opcache.jit=disable', 'opcache.jit_buffer_size=0'];
    private const JIT = ['opcache.enable=1', 'opcache.enable_cli=1', 'opcache.jit_buffer_size=64M'];

    private const COLD = ['--warm=off'];
    private const WARM = ['--warm=/'];

    /**
     * @param list<string> $directives of php.ini
     * @param list<string>|null $server options of `weft serve`; null: in the worker's own process
     */
    private function __construct(
        public readonly string $name,
        public readonly array $directives,
        public readonly ?array $server = null,
    ) {
    }

    public static function named(string $name, int $seed): self
    {
        $all = self::all($seed);

        return $all[$name] ?? throw new InvalidArgumentException("No mode is called $name. There are: " . implode(', ', array_keys($all)) . ', off.');
    }

    /**
     * @return array<string, self>
     */
    private static function all(int $seed): array
    {
        $function = [...self::JIT, 'opcache.jit=function'];
        $tracing = [...self::JIT, 'opcache.jit=tracing'];
        $stress = static fn (int $interrupts): array => ["weft.stress=$interrupts", "weft.stress_seed=$seed"];
        $modes = [
            new self('plain', self::WITHOUT_OPCACHE),
            new self('opcache', self::OPCACHE),
            new self('jit-function', $function),
            new self('jit-tracing', $tracing),
            new self('http', self::OPCACHE, self::COLD),
            // the boot's descriptors are in both
            new self('http-two', self::OPCACHE, [...self::COLD, '--workers=2']),
            new self('http-warm', self::OPCACHE, self::WARM),
            new self('http-jit', $tracing, self::WARM),
            // few switches at many different places, then many
            new self('stress', [...self::WITHOUT_OPCACHE, ...$stress(997)]),
            new self('stress-often', [...self::OPCACHE, ...$stress(61)]),
            // turns end after some microseconds, also in code of the JIT
            new self('slice', [...$tracing, 'weft.time_slice=0.05']),
            new self('http-slice', [...self::OPCACHE, 'weft.time_slice=0.2'], self::WARM),
            new self('http-stress', [...self::OPCACHE, ...$stress(499)], self::WARM),
        ];

        return array_combine(array_map(static fn (self $mode): string => $mode->name, $modes), $modes);
    }

    /** Whether the server must have warmed up before it answers. */
    public function isWarm(): bool
    {
        return $this->server === self::WARM;
    }

    /**
     * @return list<string> of a command line
     */
    public function options(): array
    {
        $options = [];
        foreach ($this->directives as $directive) {
            array_push($options, '-d', $directive);
        }

        return $options;
    }
}
