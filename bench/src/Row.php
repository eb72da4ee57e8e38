<?php

declare(strict_types=1);

namespace Weft\Bench;

/** One arm, one workload, one set of parameters: the values of each round. */
final class Row
{
    /** @var array<string, list<float>> by metric */
    private array $rounds = [];

    /** @var list<list<array{float, float}>> percentiles of each round */
    private array $distributions = [];

    /** @var array<string, true> */
    private array $marks = [];

    /** @var array<string, array{value?: float, ratio?: float}> by metric */
    private array $targets = [];

    private ?string $pair = null;

    private ?string $baseline = null;

    /** @var list<array{label: string, start: float, end: float}> */
    private array $timeline = [];

    /** @param array<string, scalar|null> $parameters */
    public function __construct(
        public readonly string $arm,
        public readonly string $workload,
        public readonly array $parameters,
    ) {
    }

    /**
     * @param array<string, float>            $metrics
     * @param list<array{float, float}>|null  $distribution
     * @param list<string>                    $marks
     */
    public function add(array $metrics, ?array $distribution, array $marks): void
    {
        foreach ($metrics as $key => $value) {
            Metric::describe($key);
            $this->rounds[$key][] = $value;
        }
        if ($distribution !== null) {
            $this->distributions[] = $distribution;
        }
        $this->marks += array_fill_keys($marks, true);
    }

    /** What a metric should reach: a value, or a ratio to the baseline's. Metric says which direction is better. */
    public function target(string $metric, ?float $value, ?float $ratio = null): self
    {
        $this->targets[$metric] = array_filter(['value' => $value, 'ratio' => $ratio], is_float(...));

        return $this;
    }

    /** Rows of one workload and pair are to be compared although their parameters differ. */
    public function pair(string $pair): self
    {
        $this->pair = $pair;

        return $this;
    }

    /** The arm that this row is a multiple of, where that is not the suite's. */
    public function baseline(string $arm): self
    {
        $this->baseline = $arm;

        return $this;
    }

    /**
     * What happened within one request, in milliseconds since it began: the last round's is kept.
     *
     * @param list<array{label: string, start: float, end: float}> $calls
     */
    public function timeline(array $calls): self
    {
        $this->timeline = $calls;

        return $this;
    }

    public function median(string $metric): ?float
    {
        return isset($this->rounds[$metric]) ? Stats::median($this->rounds[$metric]) : null;
    }

    /** @return list<float> */
    public function values(string $metric): array
    {
        return $this->rounds[$metric] ?? [];
    }

    /** @return array<string, mixed> */
    public function toArray(): array
    {
        $metrics = [];
        foreach ($this->rounds as $key => $values) {
            $metrics[$key] = Metric::describe($key) + [
                'rounds' => array_map(self::short(...), $values),
                'median' => self::short(Stats::median($values)),
                'spread' => self::short(Stats::spread($values)),
            ] + (isset($this->targets[$key]) ? ['target' => $this->targets[$key]] : []);
        }

        return [
            'arm' => $this->arm, 'workload' => $this->workload, 'parameters' => (object) $this->parameters,
            'metrics' => (object) $metrics, 'distribution' => $this->distribution(), 'marks' => array_keys($this->marks),
        ] + array_filter(['pair' => $this->pair, 'baseline' => $this->baseline], is_string(...)) + ($this->timeline === [] ? [] : ['timeline' => $this->timeline]);
    }

    /** @return array{latency_ms: list<array{float, float}>}|null the median of the rounds at each percentile */
    private function distribution(): ?array
    {
        $values = [];
        foreach ($this->distributions as $round) {
            foreach ($round as [$percentile, $ms]) {
                $values[(string) $percentile][] = $ms;
            }
        }
        $points = [];
        foreach ($values as $percentile => $all) {
            $points[] = [(float) $percentile, self::short(Stats::median($all))];
        }

        return $points === [] ? null : ['latency_ms' => $points];
    }

    /** Six significant digits: nothing here is measured better. */
    private static function short(float $value): float
    {
        return (float) sprintf('%.6g', $value);
    }
}
