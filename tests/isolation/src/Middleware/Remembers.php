<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Middleware;

use Closure;
use Illuminate\Http\Request;
use Symfony\Component\HttpFoundation\Response;
use Weft\IsolationTests\Effects;
use Weft\IsolationTests\Identity;
use Weft\IsolationTests\Window;

/** Keeps what it learns in a static and in a property, and writes it down when the response is out. */
final class Remembers
{
    private static string $latest = '';

    private static int $count = 0;

    public function handle(Request $request, Closure $next, string ...$parameters): mixed
    {
        self::$latest = $request->path() . ' ' . implode('+', $parameters);
        self::$count++;
        (new Window((int) $request->headers->get('X-Seed')))->open();
        $request->attributes->set('visitor', self::$latest);

        return $next($request);
    }

    public function terminate(Request $request, Response $response): void
    {
        (new Window((int) $request->headers->get('X-Seed')))->open();
        $number = $request->route('number');
        Effects::add(new Identity('middleware-parameters-and-terminate', is_numeric($number) ? (int) $number : -1), self::$latest, [self::$count, $response->getStatusCode()]);
    }
}
