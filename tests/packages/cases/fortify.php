<?php

declare(strict_types=1);

use Illuminate\Support\Facades\Route;
use Laravel\Fortify\Fortify;
use Weft\PackageTests\Package;
use Weft\PackageTests\Profile;
use Weft\TestSupport\Ask;
use Weft\TestSupport\Reply;

// Risky: static callbacks, and the guard that its actions keep.
return new Package(
    name: 'laravel/fortify',
    config: ['fortify' => [
        'guard' => 'web', 'passwords' => 'users', 'username' => 'email', 'email' => 'email', 'lowercase_usernames' => true, 'home' => '/', 'prefix' => 'fortify', 'domain' => null,
        'middleware' => ['web'], 'limiters' => ['login' => null, 'two-factor' => null], 'views' => false, 'features' => ['update-profile-information'],
    ]],
    effects: ['select id, name, email from users order by 1'],
    boot: static fn () => Fortify::updateUserProfileInformationUsing(Profile::class),
    routes: static function (): void {
        Route::get('/pk/login', static fn (): array => ['token' => csrf_token()]);
        Route::get('/login', static fn (): string => 'log in')->name('login');
    },
    warm: ['/pk/login'],
    journey: static function (int $who, int $round): Generator {
        $json = ['Accept' => 'application/json'];
        $mail = "user$who@example.com";
        /** @var Reply $form */
        $form = yield Ask::get('/pk/login');
        yield Ask::post('/fortify/user/profile-information', ['_method' => 'PUT', '_token' => $form->value('token') ?? '', 'name' => "Name $who $round", 'email' => $mail], $json);
        yield Ask::post('/fortify/user/profile-information', ['_method' => 'PUT', '_token' => 'wrong', 'name' => 'Nobody', 'email' => $mail], $json);
        yield Ask::post('/fortify/logout', ['_token' => $form->value('token') ?? ''], $json);
        yield Ask::get('/');
        $form = yield Ask::get('/pk/login');
        yield Ask::post('/fortify/login', ['_token' => $form->value('token') ?? '', 'email' => $mail, 'password' => 'wrong'], $json);
        yield Ask::post('/fortify/login', ['_token' => $form->value('token') ?? '', 'email' => $mail, 'password' => "secret $who"], $json);
        yield Ask::get('/');
    },
);
