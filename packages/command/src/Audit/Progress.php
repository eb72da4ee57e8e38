<?php

declare(strict_types=1);

namespace Weft\Command\Audit;

use Closure;

/**
 * How far an audit is, for people who wait: one line that is written over, and gone when the report comes. Before a
 * repeating that takes a while a line that stays says how long.
 *
 * @internal
 */
final class Progress
{
    private const WIDTH = 78;

    /** Seconds. What is over sooner needs no estimate. */
    private const SHORT = 10;

    /** @var array<string, float> seconds that repeating a page will take at most, about */
    private array $ahead = [];
    private bool $announced = false;
    private float $begin = 0.0;

    /**
     * @param Closure(string): void $write to the terminal
     */
    public function __construct(
        private readonly Closure $write,
        private readonly int $growth,
        private readonly int $seconds,
    ) {
    }

    public function begin(): void
    {
        $this->show('booting');
    }

    public function take(Data $event): void
    {
        $page = $event->text('page');
        match ($event->text('event')) {
            'asking' => $this->show("asking for $page"),
            'page' => $this->ahead[$page] = $this->estimate($event),
            'asked' => $this->announce(),
            'repeating' => $this->repeating($page, $event->int('requests')),
            'growth' => $this->forget($page),
            default => null,
        };
    }

    public function end(): void
    {
        $this->show('');
    }

    /**
     * The faster of its visits counts: the first one compiles its code and its views.
     */
    private function estimate(Data $page): float
    {
        $seconds = array_map(static fn (Data $visit): float => $visit->float('seconds'), $page->each('visits'));

        return min($seconds === [] ? 0.0 : min($seconds) * $this->growth * 2, (float) $this->seconds);
    }

    private function announce(): void
    {
        $total = array_sum($this->ahead);
        if ($total < self::SHORT || $this->announced) {
            return;
        }
        $this->announced = true;
        $pages = count($this->ahead) === 1 ? '1 page' : count($this->ahead) . ' pages';
        $this->show('');
        ($this->write)("Repeating $pages {$this->growth} times, twice over: about " . self::duration($total) . ", at most $this->seconds s a page\n(--growth-seconds).\n");
    }

    private function repeating(string $page, int $requests): void
    {
        if ($requests === 0) {
            $this->begin = microtime(true);
        }
        // a page that has ended its process leaves the list without a word
        $ahead = array_slice($this->ahead, (int) array_search($page, array_keys($this->ahead), true), null, true);
        $left = array_sum($ahead) - min($ahead[$page] ?? 0.0, microtime(true) - $this->begin);
        $time = $left < self::SHORT ? '' : ', about ' . self::duration($left) . ' left';
        $this->show(sprintf('repeating %s: %s of %s%s', mb_strimwidth($page, 0, 30, '…'), number_format($requests), number_format($this->growth * 2), $time));
    }

    private function forget(string $page): void
    {
        unset($this->ahead[$page]);
    }

    private function show(string $text): void
    {
        $text = mb_strimwidth($text, 0, self::WIDTH, '…');
        ($this->write)("\r" . str_repeat(' ', self::WIDTH) . "\r$text");
    }

    private static function duration(float $seconds): string
    {
        return $seconds < 100 ? ceil($seconds) . ' s' : ceil($seconds / 60) . ' min';
    }
}
