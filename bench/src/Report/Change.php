<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

use Weft\Bench\Stats;

/** One figure in two runs. */
final class Change implements \JsonSerializable
{
    public const WORSE = 'worse';
    public const BETTER = 'better';
    /** More than noise, of a figure that is neither better higher nor lower. */
    public const OTHER = 'other';
    /** More than noise, but the baseline of the same run moved along: the machine has changed, not the arm. */
    public const DRIFT = 'moved with its baseline';
    public const SAME = 'within the noise';
    public const UNJUDGED = 'not judged';

    /** What two rates of arrival may differ by. */
    private const SAME_RATE = 0.1;

    /** @param list<string> $common parameters that are the same in all rows of the workload */
    private function __construct(
        public readonly string $suite,
        public readonly Row $row,
        private readonly array $common,
        public readonly bool $isBaseline,
        public readonly Metric $before,
        public readonly Metric $after,
        public readonly ?float $multipleBefore,
        public readonly ?float $multipleAfter,
        public readonly string $verdict,
    ) {
    }

    /**
     * @param list<string> $common      parameters that are the same in all rows of the workload
     * @param bool         $sameMachine otherwise only multiples of the baseline can be judged
     */
    public static function of(string $key, Suite $before, Row $old, Suite $after, Row $new, array $common, bool $sameMachine): self
    {
        $one = $old->metrics[$key];
        $other = $new->metrics[$key];
        $better = $other->family() === Metric::GENERATOR ? Metric::NONE : $other->better;
        $absolute = self::judge($one->rounds, $other->rounds, $better);
        $multiples = self::multiples($before, $old, $key);
        $multiplesAfter = self::multiples($after, $new, $key);
        $relative = $multiples === [] || $multiplesAfter === [] ? null : self::judge($multiples, $multiplesAfter, $better);

        return new self(
            $after->title,
            $new,
            $common,
            ($new->baseline ?? $after->baseline) === $new->arm,
            $one,
            $other,
            $before->ratio($old, $key),
            $after->ratio($new, $key),
            match (true) {
                !self::sameRate($old, $new) => self::UNJUDGED,
                !$sameMachine => $relative ?? self::UNJUDGED,
                $relative !== null && in_array($absolute, [self::WORSE, self::BETTER], true)
                    && $relative !== $absolute && self::baselineMoved($before, $old, $after, $new, $key) => self::DRIFT,
                default => $absolute,
            },
        );
    }

    /** Something that Weft, or another arm that is no baseline, does worse than before. */
    public function isRegression(): bool
    {
        return $this->verdict === self::WORSE && !$this->isBaseline;
    }

    public function percent(): string
    {
        if ($this->before->median == 0.0) {
            return $this->after->median == 0.0 ? '0 %' : 'from zero';
        }

        return sprintf('%+.0f %%', 100 * ($this->after->median / $this->before->median - 1));
    }

    public function what(): string
    {
        $where = implode(', ', array_filter([(string) $this->row->pair, $this->row->describe($this->common)], static fn (string $part): bool => $part !== ''));

        return $this->row->workload . ($where === '' ? '' : " ($where)");
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        return [
            'suite' => $this->suite, 'workload' => $this->row->workload, 'parameters' => (object) $this->row->parameters, 'pair' => $this->row->pair,
            'arm' => $this->row->arm, 'metric' => $this->after->key, 'unit' => $this->after->unit, 'better' => $this->after->better,
            'before' => ['median' => $this->before->median, 'rounds' => $this->before->rounds, 'multiple_of_baseline' => $this->multipleBefore],
            'after' => ['median' => $this->after->median, 'rounds' => $this->after->rounds, 'multiple_of_baseline' => $this->multipleAfter],
            'verdict' => $this->verdict, 'regression' => $this->isRegression(),
        ];
    }

    /**
     * @param list<float> $before
     * @param list<float> $after
     */
    private static function judge(array $before, array $after, string $better): string
    {
        $exceeded = Noise::exceeded($before, $after);
        $higher = Stats::median($after) > Stats::median($before);

        return match (true) {
            $exceeded === null => self::UNJUDGED,
            !$exceeded => self::SAME,
            $better === Metric::NONE => self::OTHER,
            $higher === ($better === Metric::HIGHER) => self::BETTER,
            default => self::WORSE,
        };
    }

    /** Latency at another rate of arrival is another question. */
    private static function sameRate(Row $old, Row $new): bool
    {
        $ratio = ($new->metrics['rate'] ?? null)?->ratioTo($old->metrics['rate'] ?? null);

        return $ratio === null || abs($ratio - 1) <= self::SAME_RATE;
    }

    private static function baselineMoved(Suite $before, Row $old, Suite $after, Row $new, string $key): bool
    {
        $one = $before->baselineOf($old)->metrics[$key] ?? null;
        $other = $after->baselineOf($new)->metrics[$key] ?? null;

        return $one !== null && $other !== null && Noise::exceeded($one->rounds, $other->rounds) === true;
    }

    /**
     * Round by round, as the arms took turns.
     *
     * @return list<float>
     */
    private static function multiples(Suite $suite, Row $row, string $key): array
    {
        $own = $row->metrics[$key]->rounds;
        $base = ($suite->baselineOf($row)?->metrics[$key] ?? null)->rounds ?? [];
        if (count($own) !== count($base) || in_array(0.0, $base, true)) {
            return [];
        }

        return array_map(static fn (float $a, float $b): float => $a / $b, $own, $base);
    }
}
