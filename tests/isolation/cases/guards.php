<?php

declare(strict_types=1);

// Guards and the session that the middleware starts, and where a request wants them otherwise than the boot would make
// them.

use Illuminate\Auth\EloquentUserProvider;
use Illuminate\Auth\SessionGuard;
use Illuminate\Contracts\Foundation\Application;
use Illuminate\Cookie\CookieJar;
use Illuminate\Events\Dispatcher;
use Illuminate\Http\Request;
use Illuminate\Session\ArraySessionHandler;
use Illuminate\Session\Store;
use Illuminate\Support\Facades\Auth;
use Illuminate\Support\Facades\Session;
use Weft\IsolationTests\Behaviour;
use Weft\IsolationTests\Identity;
use Weft\IsolationTests\Middleware\Beforehand;
use Weft\IsolationTests\Models\Member;
use Weft\IsolationTests\Models\Owner;
use Weft\IsolationTests\Models\Thing;
use Weft\IsolationTests\Window;

$guardOf = static function (string $name = 'members'): SessionGuard {
    $guard = Auth::guard($name);

    return $guard instanceof SessionGuard ? $guard : throw new DomainException($guard::class);
};
// what a guard is made of
$parts = static function (SessionGuard $guard): array {
    $provider = $guard->getProvider();
    $eloquent = $provider instanceof EloquentUserProvider;

    return [
        $guard::class, $guard->name, $guard->getSession() === app('session.store'), $guard->getRequest() === request(),
        (fn (): bool => $this->cookie === app('cookie'))->call($guard), $guard->getDispatcher() === app('events'), $provider::class,
        $eloquent ? [$provider->getModel(), $provider->getHasher() === app('hash'), $provider->getQueryCallback() === null] : null,
        (fn (): array => [$this->user, $this->lastAttempted, $this->viaRemember, $this->rememberDuration, $this->timeboxDuration,
            $this->rehashOnLogin, $this->hashKey, $this->loggedOut, $this->recallAttempted, $this->timebox->earlyReturn])->call($guard),
    ];
};
$member = static function (Identity $who): Member {
    $member = new Member();
    $member->forceFill(['id' => 3000 + $who->number, 'name' => $who->tag()]);

    return $member;
};

return [
    new Behaviour('guard of the session', static function (Identity $who, Window $window) use ($guardOf, $parts, $member): array {
        $resolved = Auth::hasResolvedGuards();
        $guard = $guardOf();
        $made = $parts($guard);
        $guard->setUser($member($who));
        $window->open();

        return [
            $resolved, $made, $guard->id(), $guard === $guardOf(), $guard->getSession() === app('session.store'),
            $guard->getRequest() === request(), Auth::hasResolvedGuards(),
        ];
    }, middleware: ['web'], steps: 2, setUp: static function (): void {
        config(['auth.guards.members' => ['driver' => 'session', 'provider' => 'members'], 'auth.providers.members' => ['driver' => 'eloquent', 'model' => Member::class]]);
    }),

    new Behaviour('guard without a started session', static function (Identity $who, Window $window) use ($guardOf, $parts): array {
        $guard = $guardOf();
        $made = $parts($guard);
        $guard->getSession()->put('of', $who->tag());
        $window->open();

        return [$made, app('session.store')->get('of'), Session::driver() === $guard->getSession(), Session::isStarted()];
    }),

    new Behaviour('members log in and out', static function (Identity $who, Window $window) use ($guardOf): array {
        $guard = $guardOf();
        $before = [$guard->check(), $guard->user()?->getAttribute('name')];
        if ($who->step === 1) {
            $member = new Member();
            $member->forceFill(['behaviour' => $who->behaviour, 'identity' => $who->number, 'name' => $who->tag()])->save();
            $guard->login($member);
        } elseif ($who->step === 3) {
            $guard->logout();
        }
        $window->open();

        return [$before, $guard->check(), $guardOf()->user()?->getAttribute('name'), Auth::guard('members')->guest()];
    }, middleware: ['web'], steps: 4),

    new Behaviour('guards made twice', static function (Identity $who, Window $window) use ($guardOf, $member): array {
        $first = $guardOf();
        $first->setUser($member($who));
        $window->open();
        Auth::forgetGuards();
        $resolved = Auth::hasResolvedGuards();
        $second = $guardOf();
        $window->open();
        $request = Request::create("http://isolation.test/{$who->tag()}");
        app()->instance('request', $request);

        return [$resolved, $second === $first, $second->hasUser(), $first->id(), $first->getProvider() === $second->getProvider(),
            $first->getTimebox() === $second->getTimebox(), $first->getRequest() === $request, $second->getRequest() === $request];
    }, middleware: ['web']),

    new Behaviour('guards set up by the request', static function (Identity $who, Window $window) use ($guardOf, $parts): array {
        config(match ($who->number % 8) {
            0 => ['auth.guards.members.remember' => 10 + $who->number],
            1 => ['auth.providers.members.model' => Owner::class],
            2 => ['hashing.rehash_on_login' => false],
            3 => ['auth.timebox_duration' => 1000 + $who->number],
            4 => ['app.key' => $who->tag('key')],
            5 => ['auth.guards.members.provider' => 'others', 'auth.providers.others' => ['driver' => 'eloquent', 'model' => Thing::class]],
            6 => ['auth.guards.members' => ['driver' => 'token', 'provider' => 'members']],
            default => ['app.name' => $who->tag('name'), 'auth.defaults.guard' => 'members'],
        });
        $window->open();
        if ($who->number % 8 === 6) {
            return [Auth::guard('members')::class];
        }

        return [$parts($guardOf()), Auth::guard()::class];
    }, middleware: ['web']),

    new Behaviour('guards made in another way', static function (Identity $who, Window $window) use ($guardOf, $parts): array {
        $calls = [];
        $note = static function (mixed $what) use (&$calls, $who): void {
            $calls[] = $who->tag(is_string($what) ? $what : get_debug_type($what));
        };
        match ($who->number % 12) {
            0 => Auth::extend('session', static fn (Application $app, string $name): SessionGuard => new SessionGuard(
                $who->tag($name),
                new EloquentUserProvider(app('hash'), Thing::class),
                app('session.store'),
            )),
            1 => Auth::provider('eloquent', static fn (): EloquentUserProvider => new EloquentUserProvider(app('hash'), Owner::class)),
            2 => app()->instance('cookie', new CookieJar()),
            3 => app()->extend('hash', static fn (object $hash): object => clone $hash),
            4 => app()->instance('session.store', new Store($who->tag(), new ArraySessionHandler(3))),
            5 => app()->beforeResolving('cookie', $note),
            6 => app()->instance('events', clone app(Dispatcher::class)),
            7 => Session::driver('array')->put('of', $who->tag()),
            8 => Auth::viaRequest('session', static fn (Request $request): Member => new Member()),
            9 => app()->instance('request', Request::create("http://isolation.test/{$who->tag()}")),
            10 => app()->singleton('hash', static fn (): object => new Illuminate\Hashing\HashManager(app())),
            default => app()->resolving('session.store', $note),
        };
        $window->open();
        if ($who->number % 12 === 8) {
            return [Auth::guard('members')::class];
        }
        $guard = $guardOf();

        return [$parts($guard), $calls, $guard->getSession()->getName(), $guard->getRequest()->getPathInfo()];
    }),

    new Behaviour('a guard that others use', static function (Identity $who, Window $window) use ($guardOf, $member): array {
        Auth::shouldUse('members');
        $guardOf()->setUser($member($who));
        $window->open();

        return [Auth::id(), auth()->user()?->getAttribute('name'), request()->user()?->getAttribute('name'), request()->user('members')?->getAttribute('name'),
            app('auth.driver') === $guardOf(), app(Illuminate\Contracts\Auth\Guard::class) === $guardOf(), Auth::guard('web')->check()];
    }, middleware: ['web']),

    new Behaviour('guard with another provider for one request', static function (Identity $who, Window $window) use ($guardOf): array {
        $provider = $guardOf()->getProvider();
        $before = $provider instanceof EloquentUserProvider ? [$provider->getModel(), $provider->getQueryCallback() === null] : null;
        if ($provider instanceof EloquentUserProvider) {
            $provider->setModel($who->choose(Owner::class, Thing::class))->withQuery(static fn (): string => $who->tag());
        }
        $guardOf()->setRememberDuration(100 + $who->number);
        $guardOf()->getTimebox()->returnEarly();
        $window->open();

        return [
            $before,
            $provider instanceof EloquentUserProvider ? $provider->getModel() : null,
            (fn (): mixed => $this->rememberDuration)->call($guardOf()),
            $guardOf()->getTimebox()->earlyReturn,
        ];
    }, middleware: ['web'], steps: 2),

    new Behaviour('session that is set up before it starts', static function (Identity $who, Window $window): array {
        $before = session('visitor');
        session(['visitor' => $who->tag()]);
        $window->open();

        return [$before, session('visitor'), strlen(session()->getId()), request()->session() === app('session.store')];
    }, middleware: [Beforehand::class, 'web'], steps: 2),

    new Behaviour('session drivers made twice', static function (Identity $who, Window $window): array {
        $first = request()->session();
        $first->put('visitor', $who->tag());
        $drivers = array_keys(Session::getDrivers());
        Session::forgetDrivers();
        $window->open();
        $second = Session::driver();

        return [$drivers, $second === $first, $second->all(), $second->getHandler() === $first->getHandler(), $first->get('visitor'), app('session.store') === $first];
    }, middleware: ['web'], steps: 2),
];
