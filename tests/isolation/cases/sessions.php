<?php

declare(strict_types=1);

// The session store, the redirector and what makes responses: without the middleware that starts a session, and where a
// request wants them otherwise than the boot would make them.

use Illuminate\Contracts\Foundation\Application;
use Illuminate\Routing\Redirector;
use Illuminate\Routing\ResponseFactory;
use Illuminate\Session\ArraySessionHandler;
use Illuminate\Session\Store;
use Illuminate\Support\Facades\Session;
use Weft\IsolationTests\Behaviour;
use Weft\IsolationTests\Identity;
use Weft\IsolationTests\Window;

// true for the first who comes with this id, in whatever process
$isNew = static function (string $id): bool {
    $directory = storage_path('framework/ids');
    is_dir($directory) || @mkdir($directory);
    $file = @fopen("$directory/$id", 'x');

    return $file !== false && fclose($file);
};
$sessionOf = static fn (Redirector $redirector): mixed => (fn (): mixed => $this->session)->call($redirector);
$redirectorOf = static fn (ResponseFactory $responses): mixed => (fn (): mixed => $this->redirector)->call($responses);

return [
    new Behaviour('session id without the middleware', static function (Identity $who, Window $window) use ($isNew): array {
        $before = [app()->resolved('session.store'), app()->resolved('redirect')];
        $id = $who->isEven() ? app('session')->getId() : app('session.store')->getId();
        $window->open();

        return [$before, strlen($id), ctype_alnum($id), $isNew($id), Session::getId() === $id, app('session.store')->getId() === $id, Session::isStarted()];
    }, steps: 3),

    new Behaviour('session id behind a response', static function (Identity $who, Window $window) use ($isNew, $sessionOf, $redirectorOf): array {
        response()->json(['of' => $who->tag()]);
        $window->open();
        $store = $sessionOf($redirectorOf(response()));

        return [$isNew($store->getId()), $store === app('session.store'), $store === Session::driver(), app('redirect') === $redirectorOf(response())];
    }, steps: 3),

    new Behaviour('session without the middleware', static function (Identity $who, Window $window): array {
        $before = [session()->all(), session('url.intended')];
        session(['visitor' => $who->tag()]);
        redirect()->setIntendedUrl("http://isolation.test/{$who->tag()}");
        $window->open();
        $response = redirect('/elsewhere')->with('message', $who->tag('flash'));
        $window->open();

        return [$before, session()->all(), $response->getSession()?->get('message'), redirect()->intended('/nowhere')->getTargetUrl(), session('url.intended')];
    }, steps: 2),

    new Behaviour('redirects and flash beside a started session', static function (Identity $who, Window $window) use ($sessionOf): mixed {
        if ($who->step === 1) {
            redirect()->setIntendedUrl("http://isolation.test/{$who->tag()}");
            $window->open();

            return redirect('/elsewhere')->with('message', $who->tag('flash'))->withInput(['name' => $who->tag('input')]);
        }
        $window->open();

        return [session('message'), request()->old('name'), $who->step === 2 ? redirect()->intended('/nowhere')->getTargetUrl() : session('url.intended'),
            $sessionOf(app('redirect')) === session()->driver(), request()->session() === app('session.store')];
    }, middleware: ['web'], steps: 3),

    new Behaviour('session set up by the request', static function (Identity $who, Window $window): array {
        config(match ($who->number % 4) {
            0 => ['session.cookie' => $who->tag('cookie')],
            1 => ['session.driver' => 'array', 'session.lifetime' => 100 + $who->number],
            2 => ['session.encrypt' => true],
            default => ['app.name' => $who->tag('name')],
        });
        $window->open();
        response('made');
        $store = app('session.store');
        $window->open();

        return [$store::class, $store->getName(), $store->getHandler()::class, (fn (): mixed => $this->minutes)->call($store->getHandler()), strlen($store->getId())];
    }),

    new Behaviour('session driver of the request', static function (Identity $who, Window $window): array {
        if ($who->isEven()) {
            Session::extend('file', static fn (): ArraySessionHandler => new ArraySessionHandler(7));
        }
        $window->open();
        response('made');

        return [app('session.store')->getHandler()::class, Session::getHandler() === app('session.store')->getHandler()];
    }),

    new Behaviour('session and redirector made twice', static function (Identity $who, Window $window) use ($isNew, $sessionOf): array {
        $first = app('session.store');
        $redirector = app('redirect');
        $first->put('visitor', $who->tag());
        $window->open();
        Session::forgetDrivers();
        app()->forgetInstance('session.store');
        app()->forgetInstance('redirect');
        $second = app('session.store');
        $window->open();

        return [$second === $first, $second->all(), $isNew($first->getId()), $isNew($second->getId()), app('redirect') === $redirector, $sessionOf(app('redirect')) === $second];
    }, steps: 2),

    new Behaviour('session and redirector made in another way', static function (Identity $who, Window $window) use ($sessionOf, $redirectorOf): array {
        $calls = [];
        match ($who->number % 5) {
            0 => app()->extend('redirect', static fn (Redirector $redirector): Redirector => clone $redirector),
            1 => app()->resolving('session.store', static function (Store $store) use (&$calls, $who): void {
                $calls[] = $who->tag($store::class);
            }),
            2 => app()->singleton('session.store', static fn (): Store => new Store($who->tag(), new ArraySessionHandler(3), str_repeat('a', 40))),
            3 => app()->instance('view', clone app(Illuminate\View\Factory::class)),
            default => app()->afterResolving(Redirector::class, static function () use (&$calls, $who): void {
                $calls[] = $who->tag();
            }),
        };
        $window->open();
        $responses = response();
        $store = app('session.store');

        return [$calls, $store->getName(), $sessionOf($redirectorOf($responses)) === $store, $redirectorOf($responses) === app('redirect'),
            (fn (): bool => $this->view === app('view'))->call($responses)];
    }),

    new Behaviour('services that were made, as the container tells', static function (Identity $who, Window $window): array {
        $names = ['session', 'session.store', 'redirect', Illuminate\Contracts\Routing\ResponseFactory::class];
        $made = static fn (Application $app): array => array_map($app->resolved(...), $names);
        $before = $made(app());
        $who->isEven() ? app('session.store') : app('redirect');
        $window->open();
        $between = $made(app());
        response('made');

        // the manager is kept by warm-up, and cold it isn't there before
        return [array_slice($before, 1), $between, $made(app())];
    }),
];
