<?php

declare(strict_types=1);

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Route;
use Spatie\QueryBuilder\QueryBuilder;
use Weft\PackageTests\Package;
use Weft\PackageTests\User;
use Weft\PackageTests\Window;
use Weft\TestSupport\Ask;

// Risky: it takes the request from the container; the paginator takes page and path from static resolvers.
return new Package(
    name: 'spatie/laravel-query-builder',
    needs: ['spatie/laravel-package-tools'],
    routes: static fn () => Route::get('/pk/query', static function (Request $request) {
        Window::open();

        return QueryBuilder::for(User::query()->select('id', 'email'))->allowedFilters(['name', 'email'])->allowedSorts(['id', 'name'])
            ->paginate(3)->appends($request->query());
    }),
    warm: ['/pk/query'],
    journey: static function (int $who, int $round): Generator {
        yield Ask::get('/pk/query?filter[email]=user&sort=-id&page=' . ($who % 4 + 1));
        yield Ask::get("/pk/query?filter[email]=user$who@&sort=" . ['id', 'name', '-id', 'wrong'][$who % 4]);
    },
);
