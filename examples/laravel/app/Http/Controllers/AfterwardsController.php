<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use Illuminate\Http\JsonResponse;
use Illuminate\Support\Facades\Cache;

use function Illuminate\Support\defer;

/** Work that runs when the response is on its way: a terminable middleware and a deferred callback. */
final class AfterwardsController
{
    public function leave(string $key): JsonResponse
    {
        defer(function () use ($key): void {
            Cache::put('afterwards:deferred:'.$key, 'done', now()->addMinutes(10));
        });

        return response()->json(['left' => $key, 'deferred' => Cache::get('afterwards:deferred:'.$key)]);
    }

    public function show(string $key): JsonResponse
    {
        return response()->json([
            'terminated' => Cache::get('afterwards:terminated:'.$key),
            'deferred' => Cache::get('afterwards:deferred:'.$key),
        ]);
    }
}
