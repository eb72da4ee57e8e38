<?php

declare(strict_types=1);

namespace Weft\Command\Audit;

/**
 * What an audit has found: the events of its processes, put together.
 *
 * @internal
 */
final class Findings
{
    private ?Data $booted = null;

    /** @var array<string, Data> what the visits of a page found */
    private array $pages = [];

    /** @var array<string, Data> */
    private array $growth = [];

    /** @var array<string, string> pages that ended the process, and its last words */
    private array $died = [];

    public function take(Data $event): void
    {
        $page = $event->text('page');
        match ($event->text('event')) {
            'booted' => $this->booted ??= $event,
            'page' => $this->pages[$page] = $event,
            'growth' => $this->growth[$page] = $event,
            default => null,
        };
    }

    public function died(string $page, string $why): void
    {
        $this->died[$page] = $why;
    }

    public function hasBooted(): bool
    {
        return $this->booted !== null;
    }

    /**
     * Told when the application had booted.
     */
    public function application(): Data
    {
        return $this->booted ?? Data::of(null);
    }

    /**
     * @return list<string> in the order in which they were asked for
     */
    public function asked(): array
    {
        return array_map(strval(...), array_keys($this->pages + $this->died));
    }

    /**
     * @return list<string> pages that have been repeated, or that nobody should repeat
     */
    public function repeated(): array
    {
        return array_map(strval(...), array_keys($this->growth + $this->died));
    }

    /**
     * @return array<string, Data>
     */
    public function pages(): array
    {
        return $this->pages;
    }

    /**
     * @return array<string, string>
     */
    public function deaths(): array
    {
        return $this->died;
    }

    /**
     * @return array<string, Data>
     */
    public function growth(): array
    {
        return $this->growth;
    }

    /**
     * @return list<Slot> by name
     */
    public function slots(): array
    {
        $slots = [];
        foreach ($this->pages as $page => $event) {
            foreach ($event->each('visits') as $visit) {
                foreach ($visit->each('changes') as $change) {
                    $slot = Slot::from($change);
                    ($slots["$slot->kind $slot->name"] ??= $slot)->add((string) $page, $change);
                }
            }
        }
        ksort($slots);

        return array_values($slots);
    }

    /**
     * How many slots each request has changed, and the bytes of new values in them.
     *
     * @return list<array{int, int}>
     */
    public function requests(): array
    {
        $requests = [];
        foreach ($this->pages as $page) {
            foreach ($page->each('visits') as $visit) {
                $requests[] = self::sizeOf($visit);
            }
        }

        return $requests;
    }

    /**
     * @return array{int, int} changed slots, bytes
     */
    public static function sizeOf(Data $visit): array
    {
        $changes = $visit->each('changes');

        return [count($changes), array_sum(array_map(static fn (Data $change): int => $change->int('bytes'), $changes))];
    }

    /**
     * State of the process that requests have changed: by its name, what each page made of it.
     *
     * @return array<string, array<string, string>>
     */
    public function processState(string $key = 'state'): array
    {
        $state = [];
        foreach ($this->pages as $page => $event) {
            foreach ($event->each('visits') as $visit) {
                foreach ($visit->texts($key) as $name => $change) {
                    $state[$name][(string) $page] = $change;
                }
            }
        }
        ksort($state);

        return $state;
    }

    /**
     * What the visitors left in the slots that are shared on purpose.
     *
     * @return array<string, array<string, list<string>>> by slot and page, the distinct values
     */
    public function sharedValues(): array
    {
        $values = [];
        foreach ($this->pages as $page => $event) {
            foreach ($event->each('visits') as $visit) {
                foreach ($visit->each('shared') as $slot) {
                    $name = $slot->text('class') . '::$' . $slot->text('property');
                    $values[$name][(string) $page][] = $slot->text('value');
                }
            }
        }

        return array_map(static fn (array $pages): array => array_map(static fn (array $of): array => array_values(array_unique($of)), $pages), $values);
    }

    /**
     * Pages whose answer was an error, or that ended the process.
     *
     * @return list<string>
     */
    public function failed(): array
    {
        return array_values(array_unique([...array_map(strval(...), array_keys($this->died)), ...$this->answered(static fn (int $status): bool => $status >= 400)]));
    }

    /**
     * Pages that led elsewhere: what they do for somebody who is let in is not known.
     *
     * @return list<string>
     */
    public function redirected(): array
    {
        return array_values(array_diff($this->answered(static fn (int $status): bool => $status >= 300 && $status < 400), $this->failed()));
    }

    /**
     * @param callable(int): bool $so
     * @return list<string> pages that answered one of the visitors so
     */
    private function answered(callable $so): array
    {
        $pages = [];
        foreach ($this->pages as $page => $event) {
            foreach ($event->each('visits') as $visit) {
                if ($so($visit->int('status'))) {
                    $pages[] = (string) $page;
                    break;
                }
            }
        }

        return $pages;
    }

    /**
     * What no request can have for itself, a sentence each; empty: everything is isolated.
     *
     * @return list<string>
     */
    public function problems(): array
    {
        $problems = [];
        foreach ($this->application()->each('uncovered') as $one) {
            $problems[] = sprintf('%s at %s: %s', $one->text('class'), $one->text('path'), $one->text('reason'));
        }
        foreach ($this->processState('left') as $name => $pages) {
            $problems[] = sprintf('%s stays changed after the request: %s', $name, implode(' ', array_keys($pages)));
        }
        foreach ($this->growth as $page => $event) {
            foreach ($event->each('isolated') as $one) {
                $problems[] = sprintf('the worker grows: %s, %s a request, by %s', $one->text('what'), self::amount($one), $page);
            }
        }

        return $problems;
    }

    public static function amount(Data $growth): string
    {
        $each = $growth->float('each');
        $number = $each >= 10 || $each === floor($each) ? number_format($each) : number_format($each, 2);

        $unit = $growth->text('unit');

        return $number . ($unit === '' ? '' : ' ' . ($number === '1' ? rtrim($unit, 's') : $unit));
    }
}
