<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

/** What a chart shows; bench/report/src/charts.ts draws it. */
final class Chart implements \JsonSerializable
{
    public const LINES = 'lines';
    public const BARS = 'bars';

    /**
     * @param string                                                                        $kind   one of the above
     * @param string                                                                        $scale  of x: linear, log or percentile
     * @param list<array{series: string, x: float|string, y: float, low?: float, high?: float, from?: float}> $data x is a label, and y lies across, in a chart of bars
     */
    public function __construct(
        public readonly string $kind,
        public readonly string $title,
        private readonly string $x,
        private readonly string $y,
        public readonly array $data,
        private readonly string $scale = 'linear',
    ) {
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        return ['kind' => $this->kind, 'title' => $this->title, 'x' => $this->x, 'y' => $this->y, 'scale' => $this->scale, 'data' => $this->data];
    }
}
