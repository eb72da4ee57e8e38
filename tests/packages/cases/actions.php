<?php

declare(strict_types=1);

use Illuminate\Support\Facades\Route;
use Weft\PackageTests\Ask;
use Weft\PackageTests\Greets;
use Weft\PackageTests\Package;

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
