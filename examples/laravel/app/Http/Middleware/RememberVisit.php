<?php

declare(strict_types=1);

namespace App\Http\Middleware;

use Closure;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Cache;
use Symfony\Component\HttpFoundation\Response;

final class RememberVisit
{
    /** @param Closure(Request): Response $next */
    public function handle(Request $request, Closure $next): Response
    {
        return $next($request);
    }

    /** Runs when the response is on its way. */
    public function terminate(Request $request, Response $response): void
    {
        $key = $request->route('key');
        if (is_string($key)) {
            Cache::put('afterwards:terminated:'.$key, $response->getStatusCode(), now()->addMinutes(10));
        }
    }
}
