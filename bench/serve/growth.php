<?php

declare(strict_types=1);

// Collects things and never lets go of them, as /debug/growth of examples/laravel does, without the framework
// around it: some ten times as many requests fit into the same time.

use Illuminate\Events\Dispatcher;
use Illuminate\Support\Collection;
use Monolog\Handler\NullHandler;
use Monolog\Logger;

require (getenv('WEFT_BENCH_APP') ?: dirname(__DIR__, 2) . '/examples/laravel') . '/vendor/autoload.php';

final class Collector
{
    /** @var list<string> */
    public static array $collected = [];
}

$events = new Dispatcher();
$log = new Logger('growth');

return static function () use ($events, $log): array {
    Collector::$collected[] = random_bytes(1024);
    $number = count(Collector::$collected);
    $events->listen('growth', static fn (): null => null);
    Collection::macro("growth$number", static fn (): null => null);
    $log->pushHandler(new NullHandler());

    return ['collected' => $number, 'memory' => memory_get_usage(), 'reserved' => memory_get_usage(true)];
};
