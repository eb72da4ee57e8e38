<?php

declare(strict_types=1);

namespace Weft\Bridge\Audit;

use Closure;
use Weft\Bridge\DryRun\Runner;
use Weft\Bridge\DryRun\Visitor;

use function Weft\Internal\census;
use function Weft\Internal\footprint;
use function Weft\Internal\shared_values;
use function Weft\Isolation\run;

/**
 * Repeats a page and finds out what grows: in the process although each request's domain has ended, and in the slots
 * when all requests share one domain, as they would without isolation.
 *
 * Counted three times: a growth that shows in both stretches, and by about as much for each request, is one; a cache
 * that fills or the heap's untidiness is none.
 *
 * @internal
 */
final class Growth
{
    /** Fewer bytes in one stretch are untidiness of the heap, not growth. */
    private const LEAST_BYTES = 2048;

    /** The two stretches may differ by this factor; a list that doubles its room now and then does. */
    private const TOLERANCE = 5.0;

    private const HEAP = "PHP's heap";

    /** Requests between two collections. What waits for one has memory of C, and that heap is the less tidy the more waits. */
    private const COLLECTED = 20;

    /** Between two words on how far it is. */
    private const NANOSECONDS = 200_000_000;

    /** @var Closure(int): void */
    private Closure $progress;
    private int $asked = 0;
    private int $told = 0;

    /**
     * @param array{Visitor, Visitor} $visitors who ask in turn
     * @param int $requests in each of the two rows
     * @param int $seconds for both
     */
    public function __construct(
        private readonly Runner $runner,
        private readonly array $visitors,
        private readonly int $requests,
        private readonly int $seconds,
    ) {
    }

    /**
     * `requests` is how often it was asked for in the shorter of the two rows. Not `complete`: it calls exit(), which ends
     * the row of requests that share a domain. `slow`: the time did not suffice to know something.
     *
     * @param Closure(int): void $progress told now and then how many requests there were, of both rows
     * @return array{requests: int, isolated: list<array<string, mixed>>, together: list<array<string, mixed>>, complete: bool, slow: bool}
     */
    public function of(string $url, Closure $progress): array
    {
        $this->progress = $progress;
        $this->asked = 0;
        $isolated = $this->isolated($url);
        $inOne = $this->asked;
        $together = $isolated === null ? null : $this->together($url);
        $slow = $together === false || $isolated === null;

        return [
            'requests' => is_array($together) ? min($inOne, $this->asked - $inOne) : $inOne,
            'isolated' => $isolated ?? [],
            'together' => $together ?: [],
            'complete' => is_array($together),
            'slow' => $slow,
        ];
    }

    /**
     * Null when it is too slow.
     *
     * @return list<array<string, mixed>>|null
     */
    private function isolated(string $url): ?array
    {
        $counts = [];
        $names = [];
        $own = 0;
        $marks = new Marks($this->requests, $this->seconds / 2);
        for ($number = 1; !$marks->areComplete() && !$marks->areTooClose(); $number++) {
            $this->runner->request($this->visitor($number), $url);
            $this->count();
            if ($number % self::COLLECTED === 0) {
                gc_collect_cycles();
            }
            if ($marks->isReachedBy($number)) {
                gc_collect_cycles();
                $before = memory_get_usage();
                [$count, $names[]] = self::processCounts();
                // what earlier counts have left here themselves
                $count[self::HEAP] = [$count[self::HEAP][0] - $own, 'bytes'];
                $counts[] = $count;
                $own += memory_get_usage() - $before;
            }
        }
        if ($marks->areTooClose()) {
            return null;
        }
        $growing = $this->growing($counts, $marks->stretches());
        foreach ($growing as &$one) {
            $one['examples'] = array_slice(array_values(array_diff($names[2][$one['what']] ?? [], $names[1][$one['what']] ?? [])), 0, 3);
        }

        return $growing;
    }

    /**
     * Null when the page ends the script, and with it the row of requests; false when it is too slow.
     *
     * @return list<array<string, mixed>>|false|null
     */
    private function together(string $url): array|false|null
    {
        $counts = [];
        $marks = new Marks($this->requests, $this->seconds / 2);
        run(function () use ($url, $marks, &$counts): void {
            for ($number = 1; !$marks->areComplete() && !$marks->areTooClose(); $number++) {
                header_remove();
                http_response_code(200);
                $this->runner->inPlace($this->visitor($number), $url, static function (): void {
                });
                $this->count();
                if ($marks->isReachedBy($number)) {
                    $counts[] = self::slotCounts();
                }
            }
        });

        return match (true) {
            $marks->areTooClose() => false,
            $marks->areComplete() => $this->growing($counts, $marks->stretches()),
            default => null,
        };
    }

    private function count(): void
    {
        $this->asked++;
        if (hrtime(true) - $this->told >= self::NANOSECONDS) {
            ($this->progress)($this->asked);
            $this->told = hrtime(true);
        }
    }

    private function visitor(int $number): Visitor
    {
        return $this->visitors[1 - $number % 2];
    }

    /**
     * @return array{array<string, array{float, string}>, array<string, list<string>>} how much there is of what, in which unit; and names
     */
    private static function processCounts(): array
    {
        $footprint = footprint();
        $descriptors = self::descriptors();
        $counts = [
            self::HEAP => [(float) $footprint['heap'], 'bytes'],
            'the C heap' => [(float) $footprint['cHeap'], 'bytes'],
            'objects' => [(float) $footprint['objects'], ''],
            'classes' => [(float) $footprint['classes'], ''],
            'functions' => [(float) $footprint['functions'], ''],
            'constants' => [(float) $footprint['constants'], ''],
            'resources' => [(float) $footprint['resources'], ''],
            'included files' => [(float) $footprint['includedFiles'], ''],
            'slots' => [(float) $footprint['slots'], ''],
            'descriptors' => [(float) count($descriptors), ''],
            'autoloaders' => [(float) count(spl_autoload_functions()), ''],
        ];
        foreach ($footprint['byClass'] as $class => $objects) {
            $counts["objects of $class"] = [(float) $objects, ''];
        }
        foreach (shared_values() as $slot) {
            $name = "shared slot {$slot['class']}::\${$slot['property']}";
            $counts[$name] = [($counts[$name][0] ?? 0.0) + $slot['bytes'], 'bytes'];
        }

        return [$counts, [
            'classes' => get_declared_classes(),
            'functions' => get_defined_functions()['user'],
            'constants' => array_keys(get_defined_constants(true)['user'] ?? []),
            'included files' => get_included_files(),
            'descriptors' => $descriptors,
        ]];
    }

    /**
     * @return array<string, array{float, string}>
     */
    private static function slotCounts(): array
    {
        $counts = [];
        foreach (census() as $label => [$bytes, $values]) {
            $counts["$label\0values"] = [(float) $values, 'values'];
            $counts["$label\0bytes"] = [(float) $bytes, 'bytes'];
        }

        return $counts;
    }

    /**
     * What each open descriptor leads to.
     *
     * @return list<string>
     */
    private static function descriptors(): array
    {
        $links = [];
        foreach (scandir('/proc/self/fd') ?: [] as $number) {
            $link = ctype_digit($number) ? @readlink("/proc/self/fd/$number") : false;
            if ($link !== false) {
                $links[] = $link;
            }
        }

        return $links;
    }

    /**
     * @param list<array<string, array{float, string}>> $counts at the three marks
     * @param array{int, int} $stretches how many requests lie between them
     * @return list<array{what: string, unit: string, each: float}>
     */
    private function growing(array $counts, array $stretches): array
    {
        $growing = [];
        foreach ($counts[2] as $what => [$end, $unit]) {
            $one = (($counts[1][$what][0] ?? 0.0) - ($counts[0][$what][0] ?? 0.0)) / $stretches[0];
            $other = ($end - ($counts[1][$what][0] ?? 0.0)) / $stretches[1];
            $least = $unit === 'bytes' ? self::LEAST_BYTES / min($stretches) : 0.1;
            if (min($one, $other) >= $least && max($one, $other) <= self::TOLERANCE * min($one, $other)) {
                $growing[] = ['what' => explode("\0", (string) $what)[0], 'unit' => $unit, 'each' => round(($one + $other) / 2, 2)];
            }
        }

        return $growing;
    }
}
