<?php

declare(strict_types=1);

use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Route;
use Weft\PackageTests\Package;
use Weft\PackageTests\User;
use Weft\PackageTests\Window;
use Weft\TestSupport\Ask;

// Risky: the guard keeps the user whom a token names, and the auth manager keeps the guard.
return new Package(
    name: 'laravel/sanctum',
    migrations: ['2019_12_14_000001_create_personal_access_tokens_table.php'],
    routes: static fn () => Route::middleware('auth:sanctum')->get('/pk/token', static function (Request $request): array {
        Window::open();
        $user = $request->user();

        return [$user->id, $user->currentAccessToken()->name ?? null, $user->tokenCan("do $user->id"), $user->tokenCan('do 0')];
    }),
    seed: static function (int $identities): void {
        foreach (range(1, $identities) as $who) {
            DB::table('personal_access_tokens')->insert([
                'tokenable_type' => User::class, 'tokenable_id' => $who, 'name' => "token $who", 'token' => hash('sha256', "secret$who"), 'abilities' => json_encode(["do $who"]),
            ]);
        }
    },
    journey: static function (int $who, int $round): Generator {
        yield Ask::get('/pk/token', ['Authorization' => "Bearer secret$who", 'Accept' => 'application/json'])->withoutCookies();
        yield Ask::get('/pk/token', ['Authorization' => "Bearer wrong$who", 'Accept' => 'application/json'])->withoutCookies();
        // the session's user
        yield Ask::get('/pk/token', ['Accept' => 'application/json']);
    },
);
