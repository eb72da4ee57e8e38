<?php

declare(strict_types=1);

// What a switch between two requests costs: comparing all slots with the base, and the whole of it.
//
// The heap has objects like Laravel's routes, 17 slots each. Between two switches the running request writes to 20
// of them and reads memory of its own, as an application would: 300 KB, which leaves the base in the second cache, or
// so much that the scan finds it in the third or in no cache at all. That is what a request of Laravel does, which
// `bench/run isolation` measures. Medians, in nanoseconds, as Weft\Isolation\stats() tells them.
//
// The objects that are written to are neighbours, or lie as far from each other as they can.

use Weft\Bench\Pair;

const SWITCHES = 4_000;
const DIRTY = 20;
const FEW_KILOBYTES = 300;
const SOME_KILOBYTES = 2_000;
const MANY_KILOBYTES = 30_000;
/** About so much is read in all. */
const KILOBYTES_READ = 3_000_000;

final class RouteLike
{
    public mixed $controller = null;
    /** @var array<mixed> */
    public array $defaults = [];
    /** @var array<mixed> */
    public array $wheres = [];
    public mixed $parameters = null;
    public mixed $parameterNames = null;
    public mixed $originalParameters = null;
    public bool $withTrashed = false;
    public mixed $lockSeconds = null;
    public mixed $waitSeconds = null;
    public mixed $computedMiddleware = null;
    public mixed $compiled = null;
    public bool $isFallback = false;
    public mixed $bindingFields = null;

    /**
     * @param array<mixed> $methods
     * @param array<mixed> $action
     */
    public function __construct(public string $uri, public array $methods, public array $action, public object $router)
    {
    }
}

/** @return list<RouteLike> */
function routes(int $count): array
{
    $router = new stdClass();
    $routes = [];
    for ($i = 0; $i < $count; $i++) {
        $routes[] = new RouteLike("area/$i/edit", ['GET', "HEAD$i"], ['uses' => "Controller@$i"], $router);
    }

    return $routes;
}

function median(int $routes, int $kilobytes, string $which, bool $spread): float
{
    $all = routes($routes);
    $written = [];
    for ($i = 0; $i < DIRTY; $i++) {
        $written[] = $all[$spread ? intdiv($i * $routes, DIRTY) : $i];
    }
    $memory = [];
    $switches = min(SWITCHES, max(100, intdiv(KILOBYTES_READ, $kilobytes)));
    for ($i = 0; $i < $kilobytes * 2; $i++) {
        $memory[] = str_repeat('x', 480) . $i;
    }
    Weft\Isolation\snapshot();
    $request = static function () use ($written, $memory, $switches): void {
        $sum = 0;
        foreach ($written as $i => $route) {
            $route->parameters = [$i];
        }
        for ($i = 0; $i < $switches / 2; $i++) {
            // not through the array: that would be a copy of it, which writes to all that it holds
            $route = $written[$i % DIRTY];
            $route->parameters = [$i];
            foreach ($memory as $text) {
                $sum += ord($text[40]) + ord($text[150]) + ord($text[280]) + ord($text[400]);
            }
            Async\suspend();
        }
    };
    $one = Async\spawn(static fn (): mixed => Weft\Isolation\run($request));
    $two = Async\spawn(static fn (): mixed => Weft\Isolation\run($request));
    Async\await($one);
    Async\await($two);

    $stats = Weft\Isolation\stats();
    $dirty = $stats['dirty'] / $stats['scans'];
    if (abs($dirty - DIRTY) > 1) {
        throw new LogicException(sprintf('A scan found %.1f slots dirty where it should find %d', $dirty, DIRTY));
    }

    return (float) $stats[$which];
}

function pair(string $what, string $which, int $routes, int $kilobytes, ?float $target = null, bool $spread = false): Pair
{
    $name = sprintf(
        '%s, %s slots, %d of them dirty%s, after %s KB of other memory',
        $what,
        number_format(17 * $routes, 0),
        DIRTY,
        $spread ? ' and far apart' : '',
        number_format($kilobytes, 0),
    );

    return new Pair($name, 'nanoseconds', static fn (): float => median($routes, $kilobytes, $which, $spread), null, $target);
}

return [
    pair('scan', 'scanMedianNs', 253, FEW_KILOBYTES, 3000.0),
    pair('scan', 'scanMedianNs', 1176, FEW_KILOBYTES, 9000.0),
    pair('scan', 'scanMedianNs', 253, FEW_KILOBYTES, 3000.0, spread: true),
    pair('scan', 'scanMedianNs', 1176, FEW_KILOBYTES, 9000.0, spread: true),
    pair('scan', 'scanMedianNs', 253, SOME_KILOBYTES, 3000.0),
    pair('scan', 'scanMedianNs', 1176, SOME_KILOBYTES, 9000.0),
    pair('scan', 'scanMedianNs', 1176, MANY_KILOBYTES),
    pair('switch between domains', 'switchMedianNs', 253, FEW_KILOBYTES),
    pair('switch between domains', 'switchMedianNs', 1176, FEW_KILOBYTES),
    pair('switch between domains', 'switchMedianNs', 1176, SOME_KILOBYTES),
];
