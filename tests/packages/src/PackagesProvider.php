<?php

declare(strict_types=1);

namespace Weft\PackageTests;

use Illuminate\Support\Facades\Auth;
use Illuminate\Support\Facades\Route;
use Illuminate\Support\ServiceProvider;

/** Comes before the packages' own providers, so that they find their configuration. */
final class PackagesProvider extends ServiceProvider
{
    public function register(): void
    {
        config(['auth.providers.users.model' => User::class]);
        foreach (Packages::all() as $package) {
            config($package->config);
        }
    }

    public function boot(): void
    {
        foreach (Packages::all() as $package) {
            if ($package->boot !== null) {
                ($package->boot)();
            }
            if ($package->routes !== null) {
                Route::middleware('web')->group($package->routes);
            }
        }
        Route::middleware('web')->group(static function (): void {
            Route::get('/', static function (): string {
                $user = Auth::user();

                return 'Hello, ' . ($user instanceof User ? $user->name : 'nobody');
            });
            Route::get('/pk/enter/{who}', static function (int $who): array {
                Auth::loginUsingId($who);
                Window::open();

                return ['user' => Auth::id()];
            });
        });
        Route::getRoutes()->refreshNameLookups();
    }
}
