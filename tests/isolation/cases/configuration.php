<?php

declare(strict_types=1);

// Configuration and language: what middleware and controllers set for the visitor they serve.

use Carbon\Carbon;
use Carbon\CarbonImmutable;
use Illuminate\Support\Facades\App;
use Illuminate\Support\Facades\Date;
use Illuminate\Support\Facades\Lang;
use Illuminate\Support\Number;
use Illuminate\Support\Str;
use Weft\IsolationTests\Behaviour;
use Weft\IsolationTests\Identity;
use Weft\IsolationTests\Window;

return [
    new Behaviour('config set', static function (Identity $who, Window $window): array {
        $before = config('app.visitor', 'nobody');
        config(['app.visitor' => $who->tag(), 'app.name' => $who->tag('name')]);
        $window->open();

        return [$before, config('app.visitor'), config('app.name'), config('app.env')];
    }),

    new Behaviour('config push and nested set', static function (Identity $who, Window $window): array {
        config()->push('app.aliases_of_visitor', $who->tag('first'));
        $window->open();
        config()->push('app.aliases_of_visitor', $who->tag('second'));
        config(["database.connections.{$who->tag()}" => ['driver' => 'pgsql']]);
        $window->open();

        return [
            config('app.aliases_of_visitor'),
            array_filter(array_keys((array) config('database.connections')), static fn (mixed $name): bool => str_starts_with((string) $name, 'i')),
        ];
    }),

    new Behaviour('application locale', static function (Identity $who, Window $window): array {
        $before = App::getLocale();
        App::setLocale($who->locale());
        $window->open();

        return [$before, App::getLocale(), config('app.locale'), Lang::getLocale(), App::isLocale($who->locale()), Carbon::getLocale()];
    }),

    new Behaviour('fallback locale and translation lines', static function (Identity $who, Window $window): array {
        Lang::setFallback($who->locale());
        Lang::addLines(['visitor.hello' => 'Hello :name of ' . $who->tag()], 'en');
        $window->open();

        return [Lang::getFallback(), Lang::get('visitor.hello', ['name' => 'x']), Lang::has('visitor.hello'), trans_choice('{1} one|[2,*] many', 2)];
    }),

    new Behaviour('carbon locale and formats', static function (Identity $who, Window $window): array {
        Carbon::setLocale($who->locale());
        CarbonImmutable::setLocale($who->locale());
        $window->open();
        $day = Carbon::create(2026, 3, 8, 12);

        return [Carbon::getLocale(), $day?->isoFormat('dddd D MMMM'), CarbonImmutable::create(2026, 7, 1)?->monthName, $day?->diffForHumans(Carbon::create(2026, 3, 10, 12))];
    }),

    new Behaviour('carbon week start, string format and macros', static function (Identity $who, Window $window): array {
        Carbon::setToStringFormat('\d\e\r j.n.Y \f\ü\r ' . addcslashes($who->tag(), 'A..Za..z'));
        Carbon::macro('visitor', static fn (): string => $who->tag());
        $window->open();

        return [(string) Carbon::create(2026, 1, 2), Carbon::hasMacro('visitor'), (new Carbon('2026-01-01'))->__call('visitor', [])];
    }),

    new Behaviour('number locale and currency', static function (Identity $who, Window $window): array {
        $before = [Number::defaultLocale(), Number::defaultCurrency()];
        Number::useLocale($who->locale());
        Number::useCurrency($who->currency());
        $window->open();

        return [$before, Number::defaultLocale(), Number::defaultCurrency(), Number::currency(1234.5), Number::format(1234567.891, 2)];
    }),

    new Behaviour('date set test now', static function (Identity $who, Window $window): array {
        $before = Date::hasTestNow();
        Date::setTestNow(Carbon::create(2020, 1, 1)?->addDays($who->number));
        $window->open();

        return [$before, Date::now()->toDateString(), now()->toDateTimeString(), CarbonImmutable::now()->toDateString(), today()->toDateString()];
    }),

    new Behaviour('date use class and handler', static function (Identity $who, Window $window): array {
        $before = Date::now()::class;
        Date::use($who->choose(CarbonImmutable::class, Carbon::class));
        $window->open();

        return [$before, Date::now()::class, Date::parse('2026-01-01')::class];
    }),

    new Behaviour('travel back and forth', static function (Identity $who, Window $window): array {
        $seen = [];
        foreach ([1, 2, 3] as $year) {
            $seen[] = Carbon::withTestNow(Carbon::create(2000 + $year * 20 + $who->number), static function () use ($window): string {
                $window->open();

                return now()->format('Y');
            });
        }

        return [$seen, Carbon::hasTestNow()];
    }),

    new Behaviour('uuids made by a factory', static function (Identity $who, Window $window): array {
        $uuid = sprintf('00000000-0000-4000-8000-%012d', $who->number);
        Str::createUuidsUsing(static fn (): string => $uuid);
        $window->open();
        $first = (string) Str::uuid();
        Str::createUuidsNormally();
        $window->open();

        return [$first, (string) Str::uuid() === $uuid];
    }),

    new Behaviour('random strings made by a factory', static function (Identity $who, Window $window): array {
        Str::createRandomStringsUsing(static fn (int $length): string => str_pad($who->tag(), $length, '.'));
        $window->open();

        return [Str::random(12), Str::random(5), strlen(Str::password(10))];
    }),

    new Behaviour('caches of Str', static function (Identity $who, Window $window): array {
        $words = [Str::snake($who->tag() . 'SomeWord'), Str::studly("some_word_{$who->tag()}"), Str::camel("a-b-{$who->number}")];
        $window->open();
        Str::flushCache();
        $window->open();

        return [$words, Str::snake($who->tag() . 'SomeWord'), Str::plural('child', $who->number)];
    }, holdsAnyway: 'a cache whose entries are the same for everybody'),

    new Behaviour('detected environment', static function (Identity $who, Window $window): array {
        App::detectEnvironment(static fn (): string => $who->tag());
        $window->open();

        return [App::environment(), App::isProduction(), App::runningUnitTests()];
    }),
];
