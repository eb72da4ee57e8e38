<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Middleware;

use Closure;
use Illuminate\Filesystem\Filesystem;
use Illuminate\Http\Request;
use Illuminate\Session\ArraySessionHandler;
use Illuminate\Session\SessionManager;
use Illuminate\Session\Store;
use Illuminate\Support\Facades\Session;
use Symfony\Component\HttpFoundation\Response;

/** Wants another session than the boot's, for most visitors, before the session is started. */
final class Beforehand
{
    /**
     * @param Closure(Request): Response $next
     */
    public function handle(Request $request, Closure $next): Response
    {
        $number = $request->route('number');
        $number = is_numeric($number) ? (int) $number : 0;
        match ($number % 9) {
            0 => config(['session.lifetime' => 200 + $number]),
            1 => config(['session.driver' => 'array', 'session.lifetime' => 100 + $number]),
            2 => Session::extend('file', static fn (): ArraySessionHandler => new ArraySessionHandler(100 + $number)),
            3 => session()->driver('array'),
            4 => session(['of' => $number]),
            5 => app()->instance('files', clone app(Filesystem::class)),
            6 => app()->extend(
                'session',
                static fn (SessionManager $manager): SessionManager => $manager->extend('file', static fn (): ArraySessionHandler => new ArraySessionHandler(7)),
            ),
            7 => app()->instance('session', (new SessionManager(app()))->extend('file', static fn (): ArraySessionHandler => new ArraySessionHandler(300 + $number))),
            default => null,
        };
        $before = array_keys(Session::getDrivers());
        $response = $next($request);
        $store = $request->session();
        if (!$store instanceof Store) {
            return $response;
        }
        $handler = $store->getHandler();

        return $response->setContent((string) json_encode([
            $before, array_keys(Session::getDrivers()), $store->getName(), $handler::class, $store === Session::driver(), $store->get('of'),
            (fn (): mixed => $this->minutes ?? null)->call($handler), (fn (): bool => ($this->files ?? app('files')) === app('files'))->call($handler),
            json_decode((string) $response->getContent()),
        ]));
    }
}
