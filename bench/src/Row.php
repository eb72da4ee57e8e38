<?php

declare(strict_types=1);

namespace Weft\Bench;

/** One line of the report. */
final class Row
{
    public const OK = 'ok';
    public const MISSED = 'target missed';
    public const FAILED = 'failed';
    public const SKIPPED = 'skipped';

    /**
     * @param array<string, string> $cells column name => what is shown
     * @param array<string, mixed>  $raw   everything measured
     */
    public function __construct(
        public readonly string $suite,
        public readonly string $table,
        public readonly string $name,
        public readonly array $cells,
        public readonly array $raw = [],
        public readonly string $status = self::OK,
        public readonly string $reason = '',
    ) {
    }

    public static function without(string $suite, string $table, string $name, \Throwable $why): self
    {
        $status = $why instanceof Missing ? self::SKIPPED : self::FAILED;

        return new self($suite, $table, $name, [], [], $status, $why->getMessage());
    }
}
