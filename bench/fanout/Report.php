<?php

declare(strict_types=1);

namespace Weft\Bench\Fanout;

/**
 * The ten calls of examples/laravel's sales report, for clients without Laravel. Each script of this directory makes
 * them in its own way; this prepares, times and prints.
 */
final class Report
{
    private const REGIONS = ['north' => 41_250, 'east' => 38_900, 'south' => 52_400, 'west' => 47_150];

    /** Enough to connect, and to load every class and compile it. */
    private const WARM_UP_RUNS = 3;

    /**
     * @param array<string, string>        $requests  address by name
     * @param array<string, array{int, float}> $queries figure and seconds by name
     */
    private function __construct(public readonly array $requests, public readonly array $queries)
    {
    }

    /**
     * php SCRIPT SERVICES MYSQL-PORT full|http: prints what the calls answered, and how long all of them took.
     *
     * @param callable(self): array<string, int|float> $run
     */
    public static function main(callable $run): void
    {
        for ($i = 0; $i < self::WARM_UP_RUNS; $i++) {
            $run(self::make(0.0));
        }
        $report = self::make(1.0);
        gc_collect_cycles();
        $cpu = self::cpu();
        $start = hrtime(true);
        $answers = $run($report);
        $elapsed = (hrtime(true) - $start) / 1e6;
        $cpu = self::cpu() - $cpu;
        ksort($answers);
        echo json_encode(['milliseconds' => $elapsed, 'cpu' => $cpu, 'report' => $answers], JSON_THROW_ON_ERROR), "\n";
    }

    public static function mysqlPort(): int
    {
        return (int) self::argument(2);
    }

    public static function sql(int $figure, float $seconds): string
    {
        return sprintf('select %d + sleep(%F) as figure', $figure, $seconds);
    }

    /** The figure in a service's answer. */
    public static function figure(string $json): int|float
    {
        $answer = json_decode($json, true, flags: JSON_THROW_ON_ERROR);
        $figure = is_array($answer) ? $answer['rate'] ?? $answer['price'] ?? null : null;

        return is_int($figure) || is_float($figure) ? $figure : throw new \UnexpectedValueException("Not a figure: $json");
    }

    private static function make(float $scale): self
    {
        $ms = (int) (250 * $scale);
        $requests = [];
        foreach (['USD', 'GBP', 'JPY'] as $currency) {
            $requests["Rate, $currency"] = self::argument(1) . "/rates/$currency?ms=$ms";
        }
        foreach (['acme', 'globex'] as $partner) {
            $requests["Prices, $partner"] = self::argument(1) . "/prices/$partner?ms=$ms";
        }
        $queries = [];
        if (self::argument(3) === 'full') {
            foreach (self::REGIONS as $region => $figure) {
                $queries["Sales, $region"] = [$figure, 0.2 * $scale];
            }
            $queries['Summary'] = [array_sum(self::REGIONS), 0.15 * $scale];
        }

        return new self($requests, $queries);
    }

    private static function argument(int $number): string
    {
        $argument = is_array($_SERVER['argv'] ?? null) ? $_SERVER['argv'][$number] ?? '' : '';

        return is_string($argument) ? $argument : '';
    }

    private static function cpu(): float
    {
        $usage = getrusage() ?: [];
        $ms = 0.0;
        foreach (['ru_utime', 'ru_stime'] as $kind) {
            $ms += (int) ($usage["$kind.tv_sec"] ?? 0) * 1e3 + (int) ($usage["$kind.tv_usec"] ?? 0) / 1e3;
        }

        return $ms;
    }
}
