<?php

declare(strict_types=1);

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Auth;
use Illuminate\Support\Facades\Route;
use Inertia\Inertia;
use Weft\PackageTests\Package;
use Weft\PackageTests\Window;
use Weft\TestSupport\Ask;

// Risky: what is shared with all pages, and the version, are properties of one singleton.
return new Package(
    name: 'inertiajs/inertia-laravel',
    boot: static fn () => Inertia::setRootView('inertia'),
    routes: static function (): void {
        Route::get('/pk/inertia', static function (Request $request) {
            Inertia::share('user', static fn (): ?string => $request->user()?->name);
            Inertia::share('number', $request->user()?->id);
            Inertia::version("v{$request->user()?->id}");
            Window::open();

            return Inertia::render('Page', ['lazy' => Inertia::lazy(static fn (): string => 'lazy'), 'mail' => static fn (): ?string => Auth::user()?->email]);
        });
        Route::get('/pk/inertia/plain', static fn () => Inertia::render('Plain', ['shared' => Inertia::getShared()]));
    },
    warm: ['/pk/inertia'],
    journey: static function (int $who, int $round): Generator {
        $ajax = ['X-Inertia' => 'true', 'X-Requested-With' => 'XMLHttpRequest'];
        yield Ask::get('/pk/inertia');
        yield Ask::get('/pk/inertia/plain');
        yield Ask::get('/pk/inertia', [...$ajax, 'X-Inertia-Version' => "v$who"]);
        yield Ask::get('/pk/inertia', [...$ajax, 'X-Inertia-Version' => 'old']);
        yield Ask::get('/pk/inertia', [...$ajax, 'X-Inertia-Version' => "v$who", 'X-Inertia-Partial-Component' => 'Page', 'X-Inertia-Partial-Data' => 'lazy,user']);
    },
);
