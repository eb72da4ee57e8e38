<?php

declare(strict_types=1);

namespace Weft\Bench;

/**
 * A set of measurements. Command calls prepare() once, round() for each round (raw.json is written after each), and
 * finish() whatever has happened.
 */
interface Suite
{
    /** As on the command line and in raw.json. */
    public function name(): string;

    public function title(): string;

    /** What it shows, in one sentence. */
    public function about(): string;

    /** The arm that ratios are taken against. */
    public function baseline(): string;

    /** @return list<string> the arms it can compare */
    public function arms(): array;

    /** @return list<string> what --workload= may name */
    public function workloads(): array;

    public function rounds(): int;

    /** About how long a round takes. */
    public function seconds(): float;

    public function prepare(): void;

    public function round(int $number): void;

    public function finish(): void;
}
