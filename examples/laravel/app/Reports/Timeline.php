<?php

declare(strict_types=1);

namespace App\Reports;

/** When each call began and ended, and in which order. */
final class Timeline
{
    private readonly int $origin;
    private readonly float $cpu;

    /** @var array<string, float> milliseconds from the beginning */
    private array $started = [];

    /** @var array<string, float> */
    private array $finished = [];

    /** @var list<string> */
    private array $events = [];

    public function __construct()
    {
        $this->cpu = self::cpuOfProcess();
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

    /** Milliseconds of processor time that this process has used meanwhile, for whatever it was. */
    public function cpu(): float
    {
        return round(self::cpuOfProcess() - $this->cpu, 2);
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

    private static function cpuOfProcess(): float
    {
        $usage = getrusage() ?: [];
        $milliseconds = 0.0;
        foreach (['ru_utime', 'ru_stime'] as $kind) {
            $milliseconds += ($usage["$kind.tv_sec"] ?? 0) * 1e3 + ($usage["$kind.tv_usec"] ?? 0) / 1e3;
        }

        return $milliseconds;
    }
}
