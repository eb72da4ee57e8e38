<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

use Weft\Bench\Stats;

/** One figure of a row: a value per round, their median, and how far they lie apart. */
final class Metric
{
    public const HIGHER = 'higher';
    public const LOWER = 'lower';
    /** A count or a property of which neither more nor less is better. */
    public const NONE = 'none';

    /** The family of what the load generator says about itself: rows are marked by it, tables leave it out. */
    public const GENERATOR = 'generator';

    /** The family of what was computed from other figures: a multiple of it says nothing. */
    public const THEORY = 'theory';

    /** Of these a table says once that there were none. */
    public const TROUBLES = ['failed', 'wrong', 'dropped', 'errors'];

    /** What readers know a key as, and the table that it belongs to. */
    private const KNOWN = [
        'throughput' => ['throughput', 'load'], 'p50' => ['P50', 'load'], 'p95' => ['P95', 'load'], 'p99' => ['P99', 'load'], 'unloaded_p50' => ['P50 unloaded', 'load'],
        'max' => ['slowest', 'load'], 'failed' => ['failed', 'load'], 'wrong' => ['wrong', 'load'], 'dropped' => ['dropped', 'load'],
        'elapsed' => ['elapsed time', 'load'], 'slowest' => ['slowest single call', 'load'], 'overhead' => ['time over the slowest call', 'load'],
        'opening' => ['time to open all', 'load'], 'beyond_sleep' => ['last answer, without the sleep', 'load'],
        'time' => ['time', 'load'], 'nanoseconds' => ['time', 'load'], 'microseconds' => ['time', 'load'], 'calls' => ['system calls', 'load'],
        'cpu' => ['CPU', 'cost'], 'pss_idle' => ['PSS idle', 'cost'], 'pss_load' => ['PSS under load', 'cost'],
        'rss_idle' => ['RSS idle', 'cost'], 'rss_load' => ['RSS under load', 'cost'], 'heap' => ['PHP heap of a worker', 'cost'],
        'private' => ['private memory', 'cost'], 'memory_each' => ['memory each', 'cost'], 'kibibytes' => ['memory', 'cost'],
        'connections' => ['peak connections', 'cost'], 'descriptors' => ['descriptors', 'cost'],
        'phase_php' => ['running PHP', 'phases'], 'phase_sql' => ['waiting for SQL', 'phases'], 'phase_worker' => ['waiting for a worker', 'phases'],
        't_cpu' => ['T_cpu', 'theory'], 't_io' => ['T_io', 'theory'], 'predicted_n' => ['predicted best N', 'theory'], 'best_n' => ['best N found', 'theory'],
        'predicted_gain' => ['predicted gain', 'theory'], 'gain' => ['gain', 'theory'], 'prediction_error' => ['error of the prediction', 'theory'],
        'gain_stateful' => ['gain from keeping state', 'theory'], 'gain_concurrent' => ['gain from concurrency', 'theory'],
        'workers_to_match' => ['blocking workers to match', 'theory'],
        'workers' => ['workers', 'load'], 'at_once' => ['requests at once', 'theory'], 'rate' => ['rate asked for', 'load'],
        'lateness' => ['lateness of the generator', self::GENERATOR], 'generator_cpu' => ['CPU of the generator', self::GENERATOR],
    ];

    /** Units that the title says already. */
    private const OBVIOUS = ['requests', 'connections', 'descriptors', 'workers', 'calls', 'requests at once'];

    /**
     * @param non-empty-list<float>     $rounds
     * @param array<string, float>      $target "value" or "ratio" (to the baseline): what "better" should reach
     */
    private function __construct(
        public readonly string $key,
        public readonly string $unit,
        public readonly string $better,
        public readonly array $rounds,
        public readonly float $median,
        public readonly float $spread,
        public readonly array $target,
    ) {
    }

    public static function read(string $key, Field $field): self
    {
        $better = $field->at('better')->text(self::NONE);
        if (!in_array($better, [self::HIGHER, self::LOWER, self::NONE], true)) {
            throw $field->at('better')->wrong('"higher", "lower" or "none"');
        }
        $rounds = $field->at('rounds')->numbers();
        $median = $field->at('median');
        if ($rounds === []) {
            $rounds = [$median->number()];
        }

        return new self(
            $key,
            self::unit($field->at('unit')->text('')),
            $better,
            $rounds,
            $median->number(Stats::median($rounds)),
            $field->at('spread')->number(self::spreadOf($rounds)),
            array_map(static fn (Field $target): float => $target->number(), $field->at('target')->members()),
        );
    }

    /** @param list<float> $rounds */
    public static function spreadOf(array $rounds): float
    {
        $median = Stats::median($rounds);

        return $rounds === [] || $median === 0.0 ? 0.0 : (max($rounds) - min($rounds)) / abs($median);
    }

    public function title(): string
    {
        return self::KNOWN[$this->key][0] ?? strtr($this->key, '_', ' ');
    }

    /** Title and unit. */
    public function label(): string
    {
        return $this->title() . ($this->unit === '' ? '' : ", $this->unit");
    }

    /** Metrics of a family share a table. */
    public function family(): string
    {
        return self::KNOWN[$this->key][1] ?? 'other';
    }

    /** Known ones in the order of the list above, others after them. */
    public static function rank(string $key): int
    {
        $rank = array_search($key, array_keys(self::KNOWN), true);

        return $rank === false ? count(self::KNOWN) : $rank;
    }

    public function low(): float
    {
        return min($this->rounds);
    }

    public function high(): float
    {
        return max($this->rounds);
    }

    public function figure(): string
    {
        // A count of 3 is 3, not 3.00.
        return $this->unit === '' && $this->median === floor($this->median) ? number_format($this->median, 0, '.', ' ') : Stats::format($this->median);
    }

    /** "±6 %": half the distance between the extremes of the rounds. Nothing when there is only one. */
    public function doubt(): string
    {
        return count($this->rounds) < 2 || $this->median === 0.0 ? '' : sprintf('±%.0f %%', 50 * $this->spread);
    }

    public function ratioTo(?self $other): ?float
    {
        return $other === null || $other->median == 0.0 ? null : $this->median / $other->median;
    }

    /** Whether the target is reached; null when there is none, or nothing to judge it by. */
    public function meets(?float $ratio): ?bool
    {
        $goal = $this->target['ratio'] ?? $this->target['value'] ?? null;
        $value = isset($this->target['ratio']) ? $ratio : $this->median;
        if ($goal === null || $value === null) {
            return null;
        }

        return $this->better === self::HIGHER ? $value >= $goal : $value <= $goal;
    }

    private static function unit(string $unit): string
    {
        return $unit === 'times' ? '×' : (in_array($unit, self::OBVIOUS, true) ? '' : $unit);
    }
}
