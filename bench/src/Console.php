<?php

declare(strict_types=1);

namespace Weft\Bench;

/** Progress on standard error, with an estimate of the time left. */
final class Console
{
    private readonly float $start;
    private readonly bool $terminal;
    private float $expected = 0.0;
    private float $done = 0.0;

    public function __construct()
    {
        $this->start = microtime(true);
        $this->terminal = stream_isatty(STDERR);
    }

    /** Announces work that will take about so many seconds. */
    public function expect(float $seconds): void
    {
        $this->expected += $seconds;
    }

    /** Some of the announced work is done, or was skipped. */
    public function advance(float $seconds): void
    {
        $this->done += $seconds;
    }

    public function say(string $line): void
    {
        $passed = microtime(true) - $this->start;
        // What has been done so far took `passed`; the rest is scaled by how the estimate has held until now.
        $pace = $this->done > 5.0 ? min(3.0, max(0.5, $passed / $this->done)) : 1.0;
        $left = max(0.0, $this->expected - $this->done) * $pace;
        $prefix = sprintf('[%s, about %s left] ', self::clock($passed), self::clock($left));
        fwrite(STDERR, ($this->terminal ? "\e[2m$prefix\e[0m" : $prefix) . "$line\n");
    }

    private static function clock(float $seconds): string
    {
        return sprintf('%d:%02d', intdiv((int) $seconds, 60), (int) $seconds % 60);
    }
}
