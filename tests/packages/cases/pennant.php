<?php

declare(strict_types=1);

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Auth;
use Illuminate\Support\Facades\Route;
use Laravel\Pennant\Feature;
use Weft\PackageTests\Package;
use Weft\PackageTests\User;
use Weft\PackageTests\Window;
use Weft\TestSupport\Ask;

// Risky: the manager keeps the resolver of the scope, features and their values.
return new Package(
    name: 'laravel/pennant',
    config: ['pennant.default' => 'database'],
    migrations: ['2022_11_01_000001_create_features_table.php'],
    effects: ['select name, scope, value from features order by 1, 2'],
    boot: static fn () => Feature::define('new-api', static fn (mixed $scope): string => 'api of ' . ($scope instanceof User ? $scope->id : $scope)),
    routes: static function (): void {
        Route::get('/pk/pennant', static function (Request $request): array {
            Feature::resolveScopeUsing(static fn (): string => "scope {$request->user()->id}");
            $before = Feature::active('new-api');
            Window::open();
            Feature::define('made-here', static fn (string $scope): string => "$scope in " . Auth::id());
            Window::open();
            $values = Feature::values(['new-api', 'made-here']);
            Feature::for($request->user())->activate('beta', "beta {$request->user()->id}");
            Window::open();

            return [$before, $values, Feature::for($request->user())->value('beta'), Feature::value('made-here'), Feature::defined()];
        });
        Route::get('/pk/pennant/defined', static fn (): array => [Feature::defined(), Feature::value('new-api')]);
    },
    journey: static function (int $who, int $round): Generator {
        yield Ask::get('/pk/pennant');
        yield Ask::get('/pk/pennant/defined');
        yield Ask::get('/pk/pennant');
    },
);
