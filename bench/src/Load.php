<?php

declare(strict_types=1);

namespace Weft\Bench;

/** What is asked of a server, and how. */
final class Load
{
    /**
     * @param list<array{int, string, string}> $kinds weight, path, what a right answer contains
     * @param float                            $rate  requests a second, whatever the answers; 0: closed loop
     */
    private function __construct(
        private readonly array $kinds,
        public readonly int $connections,
        public readonly float $rate,
        public readonly float $seconds,
        public readonly float $warmUp,
        /** whether it is a result, not a failure, that nobody gets an answer in time */
        public readonly bool $mayOverload = false,
    ) {
    }

    /** Each connection sends its next request when it has its answer: peak throughput. */
    public static function closed(string $path, string $needle, int $connections, float $seconds, bool $mayOverload = false): self
    {
        return new self([[1, $path, $needle]], $connections, 0.0, $seconds, min(1.0, $seconds / 3), $mayOverload);
    }

    /**
     * Requests come when they come: latency.
     *
     * @param list<array{int, string, string}> $kinds
     */
    public static function open(array $kinds, float $rate, int $connections, float $seconds): self
    {
        return new self($kinds, $connections, $rate, $seconds, min(1.0, $seconds / 3));
    }

    public function script(): string
    {
        return implode('', array_map(static fn (array $kind): string => "$kind[0]\t$kind[1]\t$kind[2]\n", $this->kinds));
    }
}
