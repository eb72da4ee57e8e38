<?php

declare(strict_types=1);

namespace Weft\Bench;

/** Progress with an estimate of the time left: one line in place on a terminal, a line for each step elsewhere. */
final class Console
{
    private const USUAL_WIDTH = 80;

    /** How far off an estimate may be believed to be. */
    private const SLOWEST_PACE = 3.0;
    private const FASTEST_PACE = 0.5;

    /** Before so many seconds have been done there is no pace to go by. */
    private const ENOUGH = 5.0;

    private readonly float $start;
    private readonly bool $terminal;
    private readonly int $width;
    private float $expected = 0.0;
    private float $done = 0.0;
    private float $advanced;
    private bool $drawn = false;

    /**
     * @param resource                 $stream
     * @param (\Closure(): float)|null $clock
     */
    public function __construct(private $stream = STDERR, ?bool $terminal = null, private readonly ?\Closure $clock = null)
    {
        $this->start = $this->advanced = $this->now();
        $this->terminal = $terminal ?? stream_isatty($stream);
        $this->width = $this->terminal ? self::columns() : 0;
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
        $this->advanced = $this->now();
    }

    /** What is going on now. */
    public function say(string $line): void
    {
        $text = $this->prefix() . $line;
        if ($this->terminal) {
            fwrite($this->stream, "\r\e[K" . mb_strimwidth($text, 0, $this->width - 1, '…'));
            $this->drawn = true;
        } else {
            fwrite($this->stream, "$text\n");
        }
    }

    /** What should be readable when the run is over. */
    public function note(string $line): void
    {
        $this->clear();
        fwrite($this->stream, "$line\n");
    }

    /** Takes the line away that changes in place: something else is printed next. */
    public function clear(): void
    {
        if ($this->drawn) {
            fwrite($this->stream, "\r\e[K");
            $this->drawn = false;
        }
    }

    private function prefix(): string
    {
        $passed = $this->now() - $this->start;
        if ($this->expected <= 0.0) {
            return sprintf('[%s] ', self::clock($passed));
        }
        // The rest is scaled by how the estimate has held for what is done; what runs now has taken some of it.
        $pace = $this->done > self::ENOUGH ? min(self::SLOWEST_PACE, max(self::FASTEST_PACE, ($this->advanced - $this->start) / $this->done)) : 1.0;
        $left = max(0.0, max(0.0, $this->expected - $this->done) * $pace - ($this->now() - $this->advanced));
        $part = min(100, (int) floor(100 * $this->done / $this->expected));

        return sprintf('[%s, %d %%, about %s left] ', self::clock($passed), $part, self::clock($left));
    }

    private function now(): float
    {
        return $this->clock === null ? microtime(true) : ($this->clock)();
    }

    private static function columns(): int
    {
        $size = explode(' ', trim((string) shell_exec('{ stty size < /dev/tty; } 2> /dev/null')));
        $columns = (int) ($size[1] ?? 0);

        return $columns > 20 ? $columns : self::USUAL_WIDTH;
    }

    private static function clock(float $seconds): string
    {
        return sprintf('%d:%02d', intdiv((int) $seconds, 60), (int) $seconds % 60);
    }
}
