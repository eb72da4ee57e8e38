<?php

declare(strict_types=1);

use Barryvdh\Debugbar\Facades\Debugbar;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Route;
use Weft\PackageTests\Package;
use Weft\PackageTests\User;
use Weft\PackageTests\Window;
use Weft\TestSupport\Ask;

// Risky: its collectors are filled by listeners that are registered once, and it writes into every page.
return new Package(
    name: 'barryvdh/laravel-debugbar',
    config: ['debugbar.enabled' => true, 'debugbar.storage.enabled' => false, 'debugbar.capture_ajax' => false],
    needs: ['php-debugbar/php-debugbar'],
    routes: static fn () => Route::get('/pk/debugbar', static function (Request $request): array {
        Debugbar::addMessage("message of {$request->user()->id}");
        Window::open();
        User::query()->find($request->user()->id);
        $data = Debugbar::collect();

        return [collect($data['messages']['messages'] ?? [])->pluck('message'), $data['auth']['names'] ?? null, $data['queries']['nb_statements'] ?? null];
    }),
    journey: static function (int $who, int $round): Generator {
        yield Ask::get('/pk/debugbar');
        yield Ask::get('/pk/debugbar');
    },
    tool: true,
);
