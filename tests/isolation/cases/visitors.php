<?php

declare(strict_types=1);

// Sessions, cookies, logged-in users, permissions, limits.

use Illuminate\Auth\Access\Response as Permission;
use Illuminate\Auth\GenericUser;
use Illuminate\Auth\Middleware\Authenticate;
use Illuminate\Cache\RateLimiting\Limit;
use Illuminate\Contracts\Auth\Factory as AuthFactory;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Auth;
use Illuminate\Support\Facades\Cookie;
use Illuminate\Support\Facades\Gate;
use Illuminate\Support\Facades\RateLimiter;
use Illuminate\Support\Facades\Session;
use Weft\IsolationTests\Behaviour;
use Weft\IsolationTests\Identity;
use Weft\IsolationTests\Models\Thing;
use Weft\IsolationTests\Policies\ThingPolicy;
use Weft\IsolationTests\Visit;
use Weft\IsolationTests\Visitors;
use Weft\IsolationTests\Window;

$user = static fn (Identity $who, string $role = 'user'): GenericUser => new GenericUser(['id' => 1000 + $who->number, 'role' => $role, 'password' => '', 'remember_token' => '']);

return [
    new Behaviour('queued cookies', static function (Identity $who, Window $window): array {
        Cookie::queue('visitor', $who->tag(), 10);
        $window->open();
        Cookie::queue(Cookie::make("of-{$who->tag()}", 'x'));
        Cookie::setDefaultPathAndDomain("/{$who->tag()}", "{$who->tag()}.test");
        $window->open();
        Cookie::queue('after', $who->tag());
        if ($who->isEven()) {
            Cookie::unqueue('visitor');
        }
        $window->open();

        return [array_map(static fn (Symfony\Component\HttpFoundation\Cookie $cookie): string => $cookie->getName(), Cookie::getQueuedCookies())];
    }, middleware: ['web']),

    new Behaviour('cookies of the request', static function (Identity $who, Window $window): array {
        if ($who->step === 1) {
            Cookie::queue('seen', $who->tag('cookie'));
        }
        $window->open();

        return [request()->cookie('seen'), Cookie::get('seen'), Cookie::has('unseen')];
    }, middleware: ['web'], steps: 3),

    new Behaviour('session put and get', static function (Identity $who, Window $window): array {
        $before = [Session::get('visitor'), session('count', 0)];
        Session::put('visitor', $who->tag("step$who->step"));
        Session::increment('count');
        $window->open();
        Session::push('list', $who->tag());
        $window->open();

        return [$before, Session::get('visitor'), Session::get('list'), Session::all() === request()->session()->all(), Session::getId() === request()->session()->getId()];
    }, middleware: ['web'], steps: 3),

    new Behaviour('session flash and reflash', static function (Identity $who, Window $window): array {
        if ($who->step === 1) {
            Session::flash('message', $who->tag('flash'));
            Session::now('now', $who->tag('now'));
        } elseif ($who->step === 2 && $who->isEven()) {
            Session::reflash();
        }
        $window->open();

        return [Session::get('message'), Session::get('now'), Session::get('_flash.old')];
    }, middleware: ['web'], steps: 4),

    new Behaviour('session regenerate and invalidate', static function (Identity $who, Window $window): array {
        $id = Session::getId();
        $token = Session::token();
        Session::put("key$who->step", $who->tag());
        $window->open();
        match ($who->step) {
            2 => Session::regenerate(true),
            3 => $who->isEven() ? Session::invalidate() : Session::regenerateToken(),
            default => null,
        };
        $window->open();

        return [
            Session::getId() === $id,
            Session::token() === $token,
            array_keys(Session::all()) === array_unique(array_keys(Session::all())),
            Session::get('key1'),
            Session::get('key2'),
        ];
    }, middleware: ['web'], steps: 4),

    new Behaviour('old input and errors', static function (Identity $who, Window $window): mixed {
        if ($who->step === 1) {
            $window->open();
            request()->validate(['name' => 'integer', 'age' => 'required'], ['required' => $who->tag() . ' must say its :attribute'], ['age' => $who->tag('years')]);
        }
        $window->open();

        return [request()->old('name'), old('age', 'nothing'), session('errors')?->all()];
    }, middleware: ['web'], steps: 3, visit: static fn (Identity $who): Visit => new Visit(
        $who,
        fields: $who->step === 1 ? ['name' => $who->tag('input')] : null,
        headers: ['Accept' => 'text/html', 'Referer' => "http://isolation.test/form/{$who->number}"],
    )),

    new Behaviour('csrf token', static function (Identity $who, Window $window): array {
        $token = csrf_token();
        $window->open();
        if ($who->step === 1) {
            Session::put('first', $who->tag() . $token);
        }

        return [$token === csrf_token(), $who->tag() . $token === Session::get('first'), str_contains((string) csrf_field(), (string) $token), strlen((string) $token)];
    }, middleware: ['web'], steps: 2),

    new Behaviour('acting as a user', static function (Identity $who, Window $window) use ($user): array {
        $before = [Auth::check(), Auth::id()];
        Auth::setUser($user($who));
        $window->open();

        return [$before, Auth::check(), Auth::id(), request()->user()?->getAuthIdentifier(), auth()->user()?->getAuthIdentifier(), Auth::guard()->hasUser()];
    }, middleware: ['web']),

    new Behaviour('login, visits and logout', static function (Identity $who, Window $window) use ($user): array {
        $before = [Auth::check(), Auth::id()];
        match ($who->step) {
            1 => Auth::login($user($who)),
            4 => Auth::logout(),
            default => null,
        };
        $window->open();

        return [$before, Auth::id(), Auth::guest(), Auth::viaRemember()];
    }, middleware: ['web'], steps: 5, setUp: static function (): void {
        config(['auth.providers.users' => ['driver' => 'visitors']]);
        Auth::provider('visitors', static fn (): Visitors => new Visitors());
    }),

    new Behaviour('impersonation and once', static function (Identity $who, Window $window) use ($user): array {
        Auth::setUser($user($who));
        $window->open();
        $inside = [];
        $original = Auth::user();
        Auth::setUser(new GenericUser(['id' => 5000 + $who->number]));
        $window->open();
        $inside[] = Auth::id();
        if ($original !== null) {
            Auth::setUser($original);
        }
        $window->open();
        Auth::forgetUser();

        return [$inside, $original?->getAuthIdentifier(), Auth::hasUser()];
    }),

    new Behaviour('guards made at run time', static function (Identity $who, Window $window): array {
        config(["auth.guards.{$who->tag()}" => ['driver' => 'by-visitor'], 'auth.guards.same' => ['driver' => 'by-visitor']]);
        Auth::viaRequest('by-visitor', static fn (Request $request): GenericUser => new GenericUser(['id' => $who->number]));
        Auth::shouldUse('same');
        Auth::resolveUsersUsing(static fn (): GenericUser => new GenericUser(['id' => 7000 + $who->number]));
        $window->open();

        return [Auth::getDefaultDriver(), Auth::guard('same')->id(), Auth::guard($who->tag())->id(), request()->user()?->getAuthIdentifier(), Gate::allows('nonsense')];
    }),

    new Behaviour('gates defined at run time', static function (Identity $who, Window $window) use ($user): array {
        $before = Gate::has('enter');
        Gate::define(
            'enter',
            static fn (GenericUser $user, string $door): Permission => $user->getAuthIdentifier() === 1000 + $who->number && $door === $who->tag()
                ? Permission::allow("come in {$who->tag()}")
                : Permission::deny("not {$who->tag()}"),
        );
        Gate::before(static fn (GenericUser $user, string $ability): ?bool => $ability === "super-{$who->tag()}" ? true : null);
        Auth::setUser($user($who));
        $window->open();

        return [$before, Gate::inspect('enter', $who->tag())->message(), Gate::allows('enter', 'i99'), Gate::allows("super-{$who->tag()}"), array_keys(Gate::abilities())];
    }),

    new Behaviour('policies added at run time', static function (Identity $who, Window $window) use ($user): array {
        if ($who->isEven()) {
            Gate::policy(Thing::class, ThingPolicy::class);
        }
        Gate::guessPolicyNamesUsing(static fn (): array => []);
        Auth::setUser($user($who));
        $window->open();

        return [Gate::getPolicyFor(Thing::class) === null, Gate::allows('see', new Thing()), array_keys(Gate::policies()), Gate::forUser($user($who))->allows('see', new Thing())];
    }),

    new Behaviour('gate after and denied response', static function (Identity $who, Window $window) use ($user): array {
        $log = [];
        Gate::after(static function (GenericUser $user, string $ability) use (&$log, $who): void {
            $log[] = "{$who->tag()} $ability {$user->getAuthIdentifier()}";
        });
        Gate::defaultDenialResponse(Permission::denyWithStatus(400 + $who->number));
        Gate::define('never', static fn (): bool => false);
        Auth::setUser($user($who));
        $window->open();

        return [Gate::allows('some'), Gate::inspect('never')->status(), $log];
    }),

    new Behaviour('rate limiter admits one', static function (Identity $who, Window $window): array {
        $hits = [];
        $key = "limit-{$who->behaviour}";
        foreach ([1, 2, 3] as $try) {
            $hits[] = RateLimiter::attempt($key, 1, static function () use ($window): string {
                $window->open();

                return 'admitted';
            });
        }

        return [$hits, RateLimiter::remaining($key, 1), RateLimiter::attempts($key)];
    }),

    new Behaviour('named rate limiters', static function (Identity $who, Window $window): array {
        $before = RateLimiter::limiter('visitor') === null;
        RateLimiter::for('visitor', static fn (): Limit => Limit::perMinute(10 + $who->number)->by($who->tag()));
        $window->open();
        $limit = RateLimiter::limiter('visitor');
        $limit = $limit === null ? null : $limit();

        return [$before, $limit?->maxAttempts, $limit?->key];
    }),

    new Behaviour('throttle middleware with a limit of one', static function (Identity $who, Window $window): array {
        $window->open();

        return ['served', $who->number];
    }, middleware: ['throttle:1,1'], steps: 1),

    new Behaviour('where visitors are sent who are not logged in', static function (Identity $who, Window $window): mixed {
        Authenticate::redirectUsing(static fn (): string => "/sign-in/{$who->tag()}");
        $window->open();

        return (new Authenticate(app(AuthFactory::class)))->handle(request(), static fn (): string => 'let in');
    }, middleware: ['web'], visit: static fn (Identity $who): Visit => new Visit($who, headers: ['Accept' => 'text/html'])),
];
