<?php

declare(strict_types=1);

namespace Bench\Application;

use Closure;
use Illuminate\Http\Request;
use Symfony\Component\HttpFoundation\Response;

/** With ?timing=1 an answer says where its time went: in all, and while waiting for the database. */
final class ServerTiming
{
    /** Milliseconds in queries since the request began. */
    public static float $database = 0.0;

    /** @param Closure(Request): Response $next */
    public function handle(Request $request, Closure $next): Response
    {
        self::$database = 0.0;
        $response = $next($request);
        if ($request->query('timing') !== null) {
            $began = $request->server->get('REQUEST_TIME_FLOAT');
            $all = is_numeric($began) ? (microtime(true) - (float) $began) * 1000 : 0.0;
            $response->headers->set('Server-Timing', sprintf('app;dur=%.3f, db;dur=%.3f', $all, self::$database));
        }

        return $response;
    }
}
