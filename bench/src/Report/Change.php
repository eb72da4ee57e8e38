<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

use Weft\Bench\Metric;
use Weft\Bench\Noise;
use Weft\Bench\Row;
use Weft\Bench\Run;
use Weft\Bench\Stats;

/** One figure in two runs. */
final class Change
{
    public const WORSE = 'worse';
    public const BETTER = 'better';
    /** More than noise, of a figure that is neither better higher nor lower. */
    public const OTHER = 'different, neither better nor worse';
    /** More than noise, but the baseline of the same run moved along: the machine has changed, not the arm. */
    public const DRIFT = 'moved with its baseline: the machine changed, not the arm';
    public const SAME = 'within the noise';
    public const UNJUDGED = 'not judged';

    /** What two rates of arrival may differ by. */
    private const SAME_RATE = 0.1;

    /** @var list<float> */
    public readonly array $one;

    /** @var list<float> */
    public readonly array $other;

    public readonly string $verdict;

    /** @param bool $sameMachine otherwise only multiples of the baseline can be judged */
    public function __construct(
        public readonly string $key,
        public readonly Run $before,
        public readonly Row $old,
        public readonly Run $after,
        public readonly Row $new,
        bool $sameMachine,
    ) {
        $this->one = $old->metrics[$key] ?? [];
        $this->other = $new->metrics[$key] ?? [];
        $absolute = $this->judge($this->one, $this->other);
        $multiples = [self::multiples($before, $old, $key), self::multiples($after, $new, $key)];
        $relative = in_array([], $multiples, true) ? null : $this->judge(...$multiples);
        $rate = $new->ratio('rate', $old);
        $this->verdict = match (true) {
            // Latency at another rate of arrival is another question.
            $rate !== null && abs($rate - 1) > self::SAME_RATE => self::UNJUDGED,
            !$sameMachine => $relative ?? self::UNJUDGED,
            $relative !== null && $relative !== $absolute && in_array($absolute, [self::WORSE, self::BETTER], true) && $this->baselineMoved() => self::DRIFT,
            default => $absolute,
        };
    }

    /** Something that Weft, or another arm that is no baseline, does worse than before. */
    public function isRegression(): bool
    {
        return $this->verdict === self::WORSE && $this->after->baselineName($this->new) !== $this->new->arm;
    }

    public function percent(): string
    {
        $before = Stats::median($this->one);
        $after = Stats::median($this->other);

        return $before === 0.0 ? ($after === 0.0 ? '0 %' : 'from zero') : sprintf('%+.0f %%', 100 * ($after / $before - 1));
    }

    /** Both multiples of the baseline. */
    public function multiple(): string
    {
        $before = $this->before->ratio($this->old, $this->key);
        $after = $this->after->ratio($this->new, $this->key);

        return $before === null || $after === null ? '' : Stats::times($before) . ' → ' . Stats::times($after);
    }

    /**
     * @param list<float> $before
     * @param list<float> $after
     */
    private function judge(array $before, array $after): string
    {
        $exceeded = Noise::exceeded($before, $after);
        $better = Metric::better($this->key);

        return match (true) {
            $exceeded === null => self::UNJUDGED,
            !$exceeded => self::SAME,
            $better === Metric::NEITHER => self::OTHER,
            (Stats::median($after) > Stats::median($before)) === ($better === Metric::HIGHER) => self::BETTER,
            default => self::WORSE,
        };
    }

    private function baselineMoved(): bool
    {
        return Noise::exceeded($this->before->baseline($this->old)->metrics[$this->key] ?? [], $this->after->baseline($this->new)->metrics[$this->key] ?? []) === true;
    }

    /**
     * Round by round, as the arms took turns.
     *
     * @return list<float>
     */
    private static function multiples(Run $run, Row $row, string $key): array
    {
        $own = $row->metrics[$key] ?? [];
        $base = $run->baseline($row)->metrics[$key] ?? [];

        return count($own) !== count($base) || in_array(0.0, $base, true) ? [] : array_map(static fn (float $a, float $b): float => $a / $b, $own, $base);
    }
}
