<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

/** What one arm did with one workload under one set of parameters. */
final class Row
{
    /** Parameters whose names don't say their unit, and how a reader wants them said. */
    private const PARAMETERS = [
        'workers' => ['worker', 'workers'], 'queries' => ['query', 'queries'], 'connections' => ['connection', 'connections'],
        'clients' => ['client', 'clients'], 'calls' => ['call', 'calls'],
    ];

    /**
     * @param array<string, string>                                    $parameters
     * @param array<string, Metric>                                    $metrics
     * @param list<array{float, float}>                                $distribution percentile and milliseconds
     * @param list<string>                                             $marks
     * @param list<array{label: string, start: float, end: float}>     $timeline     milliseconds since the request began
     */
    private function __construct(
        public readonly string $arm,
        public readonly string $workload,
        public readonly array $parameters,
        public readonly array $metrics,
        public readonly array $distribution,
        public readonly array $marks,
        public readonly array $timeline,
        public readonly ?string $baseline,
        public readonly ?string $pair,
    ) {
    }

    public static function read(Field $field): self
    {
        $metrics = [];
        foreach ($field->at('metrics')->members() as $key => $metric) {
            $metrics[$key] = Metric::read($key, $metric);
        }
        uksort($metrics, static fn (string $a, string $b): int => Metric::rank($a) <=> Metric::rank($b));
        $distribution = [];
        if (!$field->at('distribution')->missing()) {
            foreach ($field->at('distribution')->at('latency_ms')->items() as $point) {
                [$percentile, $milliseconds] = $point->numbers() + [null, null];
                if ($percentile === null || $milliseconds === null) {
                    throw $point->wrong('[percentile, milliseconds]');
                }
                $distribution[] = [$percentile, $milliseconds];
            }
        }
        $timeline = [];
        foreach ($field->at('timeline')->items() as $call) {
            $timeline[] = ['label' => $call->at('label')->text(), 'start' => $call->at('start')->number(), 'end' => $call->at('end')->number()];
        }

        return new self(
            $field->at('arm')->text(),
            $field->at('workload')->text(),
            $field->at('parameters')->texts(),
            $metrics,
            $distribution,
            array_map(static fn (Field $mark): string => $mark->text(), $field->at('marks')->items()),
            $timeline,
            $field->at('baseline')->missing() ? null : $field->at('baseline')->text(),
            $field->at('pair')->missing() ? null : $field->at('pair')->text(),
        );
    }

    /** The same for rows of different arms that may be compared; among several of one arm, equal parameters decide. */
    public function setting(): string
    {
        return $this->pair !== null ? "$this->workload\0pair\0$this->pair" : "$this->workload\0" . self::sorted($this->parameters);
    }

    /** The same for this row in another run. */
    public function identity(): string
    {
        return "$this->arm\0$this->workload\0$this->pair\0" . self::sorted($this->parameters);
    }

    /** At constant arrival the harness sets how many requests there are: that is no merit of the arm. */
    public function isGiven(string $metric): bool
    {
        return $metric === 'rate' || ($metric === 'throughput' && ($this->parameters['load'] ?? '') === 'open');
    }

    public function hasParametersOf(self $other): bool
    {
        return self::sorted($this->parameters) === self::sorted($other->parameters);
    }

    /** @param list<string> $without parameters that have been said elsewhere */
    public function describe(array $without = []): string
    {
        return implode(', ', array_map(self::parameter(...), array_keys($left = array_diff_key($this->parameters, array_flip($without))), $left));
    }

    public static function parameter(string $name, string $value): string
    {
        if (isset(self::PARAMETERS[$name])) {
            return "$value " . self::PARAMETERS[$name][$value === '1' ? 0 : 1];
        }
        if (preg_match('/^(.+)_(ms|s|us)$/', $name, $match) === 1) {
            return strtr($match[1], '_', ' ') . " $value " . ($match[2] === 'us' ? 'µs' : $match[2]);
        }

        return match ($name) {
            'load' => "$value loop",
            default => strtr($name, '_', ' ') . " $value",
        };
    }

    /** @param array<string, string> $parameters */
    private static function sorted(array $parameters): string
    {
        ksort($parameters);

        return implode("\0", array_map(static fn (string $name, string $value): string => "$name=$value", array_keys($parameters), $parameters));
    }
}
