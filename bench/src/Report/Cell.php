<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

/** What stands in one place of a table: a figure, what to doubt it by, and how it compares. */
final class Cell
{
    public const GOOD = 'good';
    public const BAD = 'bad';

    public function __construct(
        public readonly string $text,
        public readonly string $doubt = '',
        public readonly string $ratio = '',
        public readonly string $mood = '',
    ) {
    }

    public static function metric(?Metric $metric, ?Metric $against, ?bool $met = null): self
    {
        if ($metric === null) {
            return new self('–');
        }
        $ratio = $metric->ratioTo($against);
        $text = $metric->figure() . ($met === null ? '' : ($met ? ' ✓' : ' ✗'));
        if ($ratio === null || $against === null) {
            return new self($text, $metric->doubt());
        }
        $mood = '';
        if ($metric->better !== Metric::NONE && Noise::exceeded($metric->rounds, $against->rounds) === true) {
            $mood = ($ratio > 1) === ($metric->better === Metric::HIGHER) ? self::GOOD : self::BAD;
        }

        return new self($text, $metric->doubt(), self::times($ratio), $mood);
    }

    public static function times(float $ratio): string
    {
        $format = match (true) {
            $ratio >= 100 => '%.0f',
            $ratio >= 10 => '%.1f',
            $ratio >= 0.1 || $ratio === 0.0 => '%.2f',
            default => '%.3f',
        };

        return sprintf($format, $ratio) . '×';
    }

    public function plain(): string
    {
        return implode(' ', array_filter([$this->text, $this->doubt, $this->ratio === '' ? '' : "($this->ratio)"], static fn (string $part): bool => $part !== ''));
    }
}
