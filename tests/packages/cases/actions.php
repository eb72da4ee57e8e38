<?php

declare(strict_types=1);

use Illuminate\Support\Facades\Route;
use Weft\PackageTests\Greets;
use Weft\PackageTests\Package;
use Weft\TestSupport\Ask;

// Risky: a manager looks at backtraces, and decorates what the container makes.
return new Package(
    name: 'lorisleiva/laravel-actions',
    needs: ['lorisleiva/lody'],
    routes: static fn () => Route::get('/pk/action/{who}', Greets::class),
    journey: static function (int $who, int $round): Generator {
        yield Ask::get("/pk/action/w$who");
        yield Ask::get("/pk/action/again$who");
    },
);
