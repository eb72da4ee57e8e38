<?php

declare(strict_types=1);

// The current route and its parameters, URLs, redirects, pagination.

use Illuminate\Http\Request;
use Illuminate\Pagination\LengthAwarePaginator;
use Illuminate\Pagination\Paginator;
use Illuminate\Support\Facades\Redirect;
use Illuminate\Support\Facades\Route;
use Illuminate\Support\Facades\URL;
use Weft\IsolationTests\Behaviour;
use Weft\IsolationTests\Identity;
use Weft\IsolationTests\Visit;
use Weft\IsolationTests\Window;

return [
    new Behaviour('route parameters', static function (Identity $who, Window $window): array {
        $route = Route::current();
        $before = $route?->parameter('rest');
        $window->open();
        $seen = [Route::current()?->parameters(), request()->route('rest'), $route?->parameter('rest'), Route::input('number')];
        $route?->setParameter('rest', $who->tag('changed'));
        $window->open();

        return [$before, $seen, Route::current()?->parameters(), $route?->parameters()];
    }, visit: static fn (Identity $who): Visit => new Visit($who, path: "/of/{$who->tag()}")),

    new Behaviour('current route and request', static function (Identity $who, Window $window): array {
        $window->open();

        return [
            Route::currentRouteName(), Route::current()?->uri(), request()->path(), request()->fullUrl(), request()->header('X-Visitor'),
            request()->query(), request('q'), app(Request::class)->input('q'), app('request') === request(), request()->routeIs('current-*'),
        ];
    }, visit: static fn (Identity $who): Visit => new Visit($who, query: ['q' => $who->tag()], headers: ['X-Visitor' => $who->tag('header')])),

    new Behaviour('request attributes, merge and macros', static function (Identity $who, Window $window): array {
        request()->attributes->set('visitor', $who->tag());
        request()->merge(['merged' => $who->tag('merged')]);
        Request::macro('visitor', fn (): string => $who->tag('macro'));
        request()->setUserResolver(static fn (): string => $who->tag('user'));
        $window->open();

        return [request()->attributes->all() === ['visitor' => $who->tag()], request('merged'), request()->input(), request()->__call('visitor', []), request()->user()];
    }),

    new Behaviour('urls of the request', static function (Identity $who, Window $window): array {
        $window->open();

        return [URL::current(), url('/x'), route('urls-of-the-request', ['number' => $who->number]), asset('a.css'), URL::previous(), URL::full()];
    }, visit: static fn (Identity $who): Visit => new Visit(
        $who,
        query: ['page' => $who->tag()],
        headers: ['Referer' => "http://{$who->tag()}.test/from"],
        host: "{$who->tag()}.isolation.test",
    )),

    new Behaviour('url force root, scheme and origin', static function (Identity $who, Window $window): array {
        $before = url('/x');
        URL::forceRootUrl("http://{$who->tag()}.example");
        if ($who->isEven()) {
            URL::forceScheme('https');
        }
        $window->open();

        return [$before, url('/x'), route('config-set', ['number' => 1]), secure_url('/y'), asset('z.js')];
    }),

    new Behaviour('url defaults and key resolver', static function (Identity $who, Window $window): array {
        URL::defaults(['number' => $who->number]);
        URL::formatPathUsing(static fn (string $path): string => "/{$who->tag()}$path");
        URL::setKeyResolver(static fn (): string => str_pad($who->tag(), 32, '.'));
        $window->open();

        return [URL::getDefaultParameters(), route('config-set'), URL::signedRoute('config-set', ['a' => 1])];
    }),

    new Behaviour('urls of assets', static function (Identity $who, Window $window): array {
        URL::useAssetOrigin("http://cdn-{$who->tag()}.test");
        URL::macro('visitor', fn (): string => $who->tag());
        $window->open();

        return [asset('a.css'), URL::__callStatic('visitor', [])];
    }),

    new Behaviour('routes added at run time', static function (Identity $who, Window $window): array {
        $before = Route::has('added');
        Route::get("/added/{$who->tag()}", static fn (): string => $who->tag())->name('added');
        Route::getRoutes()->refreshNameLookups();
        $window->open();

        return [$before, Route::has('added'), route('added'), Route::getRoutes()->match(Request::create("/added/{$who->tag()}"))->uri()];
    }),

    new Behaviour('route bindings, patterns and middleware', static function (Identity $who, Window $window): array {
        Route::bind('visitor', static fn (string $value): string => $who->tag($value));
        Route::pattern('letter', $who->choose('[a-m]', '[n-z]'));
        Route::aliasMiddleware('visitor', $who->tag('middleware'));
        Route::pushMiddlewareToGroup('visitors', $who->tag('first'));
        $window->open();
        Route::pushMiddlewareToGroup('visitors', $who->tag('second'));
        $window->open();
        $binding = Route::getBindingCallback('visitor');

        return [$binding === null ? null : $binding('x', null), Route::getPatterns(), Route::getMiddleware()['visitor'] ?? null, Route::getMiddlewareGroups()['visitors'] ?? null];
    }),

    new Behaviour('route groups that wait', static function (Identity $who, Window $window): array {
        Route::prefix($who->tag('prefix'))->name($who->tag('name') . '.')->group(static function () use ($window): void {
            $window->open();
            Route::get('/inside', static fn (): string => '')->name('inside');
            $window->open();
        });
        Route::getRoutes()->refreshNameLookups();
        $route = Route::getRoutes()->getByName($who->tag('name') . '.inside');

        return [$route?->uri(), Route::hasGroupStack()];
    }),

    new Behaviour('paginator resolvers', static function (Identity $who, Window $window): array {
        $window->open();
        $first = [Paginator::resolveCurrentPage(), Paginator::resolveCurrentPath(), Paginator::resolveQueryString()];
        Paginator::currentPageResolver(static fn (): int => 100 + $who->number);
        Paginator::currentPathResolver(static fn (): string => "/{$who->tag()}");
        $window->open();

        return [$first, Paginator::resolveCurrentPage(), Paginator::resolveCurrentPath()];
    }, visit: static fn (Identity $who): Visit => new Visit($who, query: ['page' => (string) (2 + $who->number), 'sort' => $who->tag()])),

    new Behaviour('paginator views and links', static function (Identity $who, Window $window): array {
        $who->isEven() ? Paginator::useBootstrapFive() : Paginator::useTailwind();
        $window->open();
        $page = new LengthAwarePaginator(range(1, 3), 30, 3, 2, ['path' => "/{$who->tag()}"]);
        $page->appends(['who' => $who->tag()]);
        $window->open();

        return [LengthAwarePaginator::$defaultView, md5($page->links()->toHtml()), $page->nextPageUrl()];
    }),

    new Behaviour('redirects', static function (Identity $who, Window $window): mixed {
        Redirect::setIntendedUrl("/intended/{$who->tag()}");
        $window->open();

        return Redirect::intended('/nowhere')->with('message', $who->tag());
    }, middleware: ['web'], visit: static fn (Identity $who): Visit => new Visit($who, host: "{$who->tag()}.isolation.test")),

    new Behaviour('trusted proxies and hosts', static function (Identity $who, Window $window): array {
        Request::setTrustedProxies(['127.0.0.1'], $who->choose(Request::HEADER_X_FORWARDED_HOST, Request::HEADER_X_FORWARDED_PROTO));
        $window->open();

        return [request()->getHost(), request()->isSecure(), Request::getTrustedHeaderSet(), url('/x')];
    }, visit: static fn (Identity $who): Visit => new Visit($who, headers: ['X-Forwarded-Host' => "{$who->tag()}.proxy.test", 'X-Forwarded-Proto' => 'https'])),

    new Behaviour('middleware parameters and terminate', static function (Identity $who, Window $window): array {
        $window->open();

        return [request()->attributes->get('visitor')];
    }, setUp: static function (): void {
        Route::aliasMiddleware('remembers', Weft\IsolationTests\Middleware\Remembers::class);
    }, middleware: ['remembers:one,two']),
];
