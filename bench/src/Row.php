<?php

declare(strict_types=1);

namespace Weft\Bench;

/** What one arm did with one workload under one set of parameters: of each figure a value for each round. */
final class Row implements \JsonSerializable
{
    /** Parameters whose names don't say their unit, and how a reader wants them said. */
    private const COUNTED = ['workers' => 'worker', 'connections' => 'connection', 'calls' => 'call'];

    /** @var array<string, non-empty-list<float>> the rounds by metric */
    public array $metrics = [];

    /** @var array<string, array{string, float}> what a metric should reach: 'value', or 'ratio' to the baseline's */
    private array $targets = [];

    /** @var array<array-key, list<float>> milliseconds of each round by percentile */
    private array $distribution = [];

    /** @var array<string, true> */
    private array $marks = [];

    /** @var list<array{label: string, start: float, end: float}> milliseconds since a request began, of its calls */
    public array $timeline = [];

    /** Rows of one workload and pair are compared although their parameters differ. */
    public ?string $pair = null;

    /** The arm that this row is a multiple of, where that is not the suite's. */
    public ?string $baseline = null;

    private ?string $given = null;

    /** @param array<string, string> $parameters */
    public function __construct(public readonly string $suite, public readonly string $arm, public readonly string $workload, public readonly array $parameters)
    {
    }

    public static function read(Json $json): self
    {
        $row = new self($json->text('suite'), $json->text('arm'), $json->text('workload'), $json->texts('parameters'));
        foreach (array_keys($json->members('metrics')) as $key) {
            if (Metric::sorted([$key => 1]) === []) {
                throw $json->at('metrics')->at($key)->wrong('a figure that this program knows');
            }
            $row->metrics[$key] = $json->at('metrics')->numbers($key) ?: throw $json->at('metrics')->at($key)->wrong('a list of numbers');
        }
        foreach ($json->members('targets') as $key => $target) {
            $row->targets[$key] = [$target->text('0'), $target->number('1')];
        }
        foreach (array_keys($json->members('distribution')) as $percentile) {
            $row->distribution[$percentile] = $json->at('distribution')->numbers("$percentile");
        }
        foreach ($json->items('timeline') as $call) {
            $row->timeline[] = ['label' => $call->text('label'), 'start' => $call->number('start'), 'end' => $call->number('end')];
        }
        $row->marks = array_fill_keys(array_values($json->texts('marks')), true);
        $row->pair = $json->optional('pair');
        $row->baseline = $json->optional('baseline');

        return $row;
    }

    public function add(Sample $sample): self
    {
        foreach ($sample->metrics as $key => $value) {
            Metric::title($key);
            $this->metrics[$key][] = $value;
        }
        foreach ($sample->distribution as [$percentile, $milliseconds]) {
            $this->distribution["$percentile"][] = $milliseconds;
        }
        $this->marks += array_fill_keys($sample->marks, true);

        return $this;
    }

    /** @param 'value'|'ratio' $kind */
    public function target(string $metric, string $kind, float $goal): self
    {
        $this->targets[$metric] = [$kind, $goal];

        return $this;
    }

    public function median(string $metric): ?float
    {
        return isset($this->metrics[$metric]) ? Stats::median($this->metrics[$metric]) : null;
    }

    /** Part of another row's figure; null when one has none. */
    public function ratio(string $metric, ?self $other): ?float
    {
        $mine = $this->median($metric);
        $its = $other?->median($metric);

        return $mine === null || $its === null || $its === 0.0 ? null : $mine / $its;
    }

    /** Whether a figure reaches its target; null when there is none, or nothing to judge it by. */
    public function meets(string $metric, ?self $baseline): ?bool
    {
        [$kind, $goal] = $this->targets[$metric] ?? ['', 0.0];
        $value = match ($kind) {
            'value' => $this->median($metric),
            'ratio' => $this->ratio($metric, $baseline),
            default => null,
        };

        return $value === null ? null : (Metric::better($metric) === Metric::HIGHER ? $value >= $goal : $value <= $goal);
    }

    /** @return list<string> what a reader must know to believe the row */
    public function marks(): array
    {
        return array_map(strval(...), array_keys($this->marks));
    }

    /** @return list<array{float, float}> percentile and milliseconds: the median of the rounds */
    public function distribution(): array
    {
        return array_map(
            static fn (string|int $percentile, array $values): array => [(float) $percentile, Stats::median($values)],
            array_keys($this->distribution),
            $this->distribution,
        );
    }

    /** The same for rows of different arms that may be compared; among several of one arm, equal parameters decide. */
    public function setting(): string
    {
        return "$this->workload\0" . ($this->pair ?? $this->given());
    }

    /** The same for this row in another run. */
    public function identity(): string
    {
        return "$this->suite\0$this->arm\0$this->workload\0$this->pair\0" . $this->given();
    }

    public function given(): string
    {
        if ($this->given === null) {
            $parameters = $this->parameters;
            ksort($parameters);
            $this->given = http_build_query($parameters);
        }

        return $this->given;
    }

    /** At constant arrival the harness sets how many requests there are: that is no merit of the arm. */
    public function isGiven(string $metric): bool
    {
        return $metric === 'rate' || ($metric === 'throughput' && ($this->parameters['load'] ?? '') === 'open');
    }

    /** @param list<string> $without parameters that have been said elsewhere */
    public function describe(array $without = []): string
    {
        $left = array_diff_key($this->parameters, array_flip($without));

        return implode(', ', array_map(self::parameter(...), array_keys($left), $left));
    }

    public static function parameter(string $name, string $value): string
    {
        if (isset(self::COUNTED[$name])) {
            return "$value " . self::COUNTED[$name] . ($value === '1' ? '' : 's');
        }
        if (preg_match('/^(.+)_(ms|s|us)$/', $name, $match) === 1) {
            return strtr($match[1], '_', ' ') . " $value " . ($match[2] === 'us' ? 'µs' : $match[2]);
        }

        return $name === 'load' ? "$value loop" : strtr($name, '_', ' ') . " $value";
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        // Six significant digits: nothing here is measured better.
        $short = static fn (array $rounds): array => array_map(static fn (mixed $value): float => is_float($value) ? (float) sprintf('%.6g', $value) : 0.0, $rounds);

        return array_filter([
            'suite' => $this->suite, 'arm' => $this->arm, 'workload' => $this->workload, 'parameters' => (object) $this->parameters,
            'metrics' => (object) array_map($short, $this->metrics), 'targets' => $this->targets,
            'distribution' => $this->distribution === [] ? null : (object) array_map($short, $this->distribution),
            'marks' => $this->marks(), 'timeline' => $this->timeline, 'pair' => $this->pair, 'baseline' => $this->baseline,
        ], static fn (mixed $value): bool => $value !== [] && $value !== null);
    }
}
