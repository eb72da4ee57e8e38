<?php

declare(strict_types=1);

// What a switch between two requests costs: comparing all slots with the base, and the whole of it.
//
// The heap has objects like Laravel's routes, 17 slots each. Between two switches the running request writes to a
// few of them and reads some memory, as an application would, so that the caches are not the scan's alone. Medians,
// in nanoseconds, as Weft\Isolation\stats() tells them.

use Weft\Bench\Pair;

require __DIR__ . '/../autoload.php';

const SWITCHES = 4_000;
const WORK_KILOBYTES = 300;

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

function median(int $routes, string $which): float
{
    $all = routes($routes);
    $memory = [];
    for ($i = 0; $i < WORK_KILOBYTES * 2; $i++) {
        $memory[] = str_repeat('x', 480) . $i;
    }
    Weft\Isolation\snapshot();
    $request = static function () use ($all, $memory): void {
        $sum = 0;
        for ($i = 0; $i < SWITCHES / 2; $i++) {
            $all[$i % 20]->parameters = [$i];
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

    return (float) Weft\Isolation\stats()[$which];
}

Pair::main(
    new Pair('scan of 4,300 slots', 'ns', static fn (): float => median(251, 'scanMedianNs'), null, 3000.0),
    new Pair('scan of 20,000 slots', 'ns', static fn (): float => median(1174, 'scanMedianNs'), null, 9000.0),
    new Pair('switch between domains, 4,300 slots', 'ns', static fn (): float => median(251, 'switchMedianNs'), null, null),
    new Pair('switch between domains, 20,000 slots', 'ns', static fn (): float => median(1174, 'switchMedianNs'), null, null),
);
