<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Route;
use Illuminate\Support\ServiceProvider;

/** Gives the application a route for each behaviour, and lets behaviours prepare what they need. */
final class BehavioursProvider extends ServiceProvider
{
    public function boot(): void
    {
        foreach (Registry::all() as $slug => $behaviour) {
            if ($behaviour->setUp !== null) {
                ($behaviour->setUp)();
            }
            Route::match(['GET', 'POST'], "/$slug/{number}/{rest?}", static fn (Request $request, int $number): mixed => self::act($behaviour, $request, $number))
                ->where('rest', '.*')
                ->middleware($behaviour->middleware)
                ->name($slug);
        }
        Route::get('/', Home::class)->middleware('web');
        Route::getRoutes()->refreshNameLookups();
    }

    private static function act(Behaviour $behaviour, Request $request, int $number): mixed
    {
        $header = static fn (string $name): int => (int) $request->headers->get($name, '0');
        $who = new Identity($behaviour->slug(), $number, $header('X-Step'), $header('X-Round'));

        return ($behaviour->act)($who, new Window($header('X-Seed')));
    }
}
