<?php

declare(strict_types=1);

namespace Weft\Bench;

/** Something to ask for, what a right answer contains (behind "=": is), how often it asks the database, and what a POST sends (bench/tools/requests.h). */
final class Page
{
    public function __construct(public readonly string $path, public readonly string $needle, public readonly int $queries = 0, private readonly string $sends = '')
    {
    }

    /** @return array<string, self> of examples/laravel, by workload */
    public static function laravel(): array
    {
        return [
            '/hello' => new self('/hello', '"message":"Hello"'),
            '/test' => new self('/test', '"ok":true', 1),
            '/bench' => new self('/bench?n=10', '"latest_views":', 10),
            '/bench?n=5' => new self('/bench?n=5', '"totals":', 5),
        ];
    }

    /** With the answer's own account of its time. */
    public function timed(): self
    {
        return new self($this->path . (str_contains($this->path, '?') ? '&' : '?') . 'timing=1', $this->needle, $this->queries);
    }

    /** For bench/tools/load.c. */
    public function line(int $weight = 1): string
    {
        return "$weight\t$this->path\t$this->needle" . ($this->sends === '' ? '' : "\t$this->sends") . "\n";
    }
}
