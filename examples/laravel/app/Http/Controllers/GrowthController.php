<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use Illuminate\Http\JsonResponse;
use Illuminate\Support\Collection;
use Illuminate\Support\Facades\Event;
use Illuminate\Support\Facades\Log;
use Monolog\Handler\NullHandler;

/** Collects things and never lets go of them, as careless code does. */
final class GrowthController
{
    /** @var list<string> */
    private static array $collected = [];

    public function __invoke(): JsonResponse
    {
        self::$collected[] = random_bytes(1024);
        $number = count(self::$collected);
        Event::listen('growth', static fn (): null => null);
        Collection::macro("growth$number", static fn (): null => null);
        Log::pushHandler(new NullHandler());

        return response()->json([
            'collected' => $number,
            'memory' => memory_get_usage(),
            'reserved' => memory_get_usage(true),
        ]);
    }
}
