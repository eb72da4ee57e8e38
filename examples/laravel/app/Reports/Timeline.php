<?php

declare(strict_types=1);

namespace App\Reports;

/** When each call began and ended, and in which order. */
final class Timeline
{
    private readonly int $origin;

    /** @var array<string, float> milliseconds from the beginning */
    private array $started = [];

    /** @var array<string, float> */
    private array $finished = [];

    /** @var list<string> */
    private array $events = [];

    public function __construct()
    {
        $this->origin = hrtime(true);
    }

    public function record(Call $call): mixed
    {
        $this->events[] = "$call->name started";
        $this->started[$call->name] = $this->now();
        try {
            return ($call->ask)();
        } finally {
            $this->finished[$call->name] = $this->now();
            $this->events[] = "$call->name finished";
        }
    }

    public function now(): float
    {
        return round((hrtime(true) - $this->origin) / 1e6, 2);
    }

    /** @return list<string> */
    public function events(): array
    {
        return $this->events;
    }

    public function started(Call $call): float
    {
        return $this->started[$call->name] ?? 0.0;
    }

    public function finished(Call $call): float
    {
        return $this->finished[$call->name] ?? $this->now();
    }
}
