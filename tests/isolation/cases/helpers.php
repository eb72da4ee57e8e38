<?php

declare(strict_types=1);

// Helpers of the framework whose static options a request changes: chance, ids, translations, processes, assets, factories.

use Illuminate\Auth\Notifications\ResetPassword;
use Illuminate\Auth\Notifications\VerifyEmail;
use Illuminate\Database\Eloquent\Factories\Factory;
use Illuminate\Foundation\Auth\User;
use Illuminate\Support\Collection;

use function Illuminate\Support\defer;

use Illuminate\Support\Defer\DeferredCallbackCollection;
use Illuminate\Support\EncodedHtmlString;
use Illuminate\Support\Facades\App;
use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Facades\Concurrency;
use Illuminate\Support\Facades\Context;
use Illuminate\Support\Facades\Event;
use Illuminate\Support\Facades\Lang;
use Illuminate\Support\Facades\Process;
use Illuminate\Support\Facades\Vite;
use Illuminate\Support\Lottery;
use Illuminate\Support\Str;
use Illuminate\Support\Stringable;
use Weft\IsolationTests\Behaviour;
use Weft\IsolationTests\Identity;
use Weft\IsolationTests\Window;

return [
    new Behaviour('lottery that always wins or follows a sequence', static function (Identity $who, Window $window): array {
        $won = static fn (): bool => (bool) Lottery::odds(1, 2)->choose();
        $who->number % 2 === 0 ? Lottery::alwaysWin() : Lottery::alwaysLose();
        $window->open();
        $first = [$won(), $won()];
        Lottery::fix([true, $who->number % 3 === 0, false, $who->number % 2 === 1]);
        $sequence = [];
        for ($i = 0; $i < 4; $i++) {
            $window->open();
            $sequence[] = $won();
        }

        return [$first, $sequence];
    }),

    new Behaviour('ulids and uuids frozen or in a sequence', static function (Identity $who, Window $window): array {
        $frozen = Str::freezeUuids();
        $window->open();
        $same = (string) Str::uuid() === (string) $frozen;
        Str::createUuidsNormally();
        Str::createUlidsUsing(static fn (): string => $who->tag('ulid'));
        $window->open();
        $ulid = (string) Str::ulid();
        Str::createUlidsNormally();
        Str::createRandomStringsUsingSequence([$who->tag('one'), $who->tag('two')]);
        $first = Str::random();
        $window->open();

        return [$same, $ulid, $first, Str::random()];
    }),

    new Behaviour('missing translations and texts of objects', static function (Identity $who, Window $window): array {
        Lang::handleMissingKeysUsing(static fn (string $key): string => "$key for {$who->tag()}");
        Lang::stringable(Collection::class, static fn (Collection $items): string => $who->tag('items') . $items->count());
        Lang::addLines(['visitor.hello' => ':what says :name'], 'en');
        $window->open();

        return [__('visitor.nowhere'), __('visitor.hello', ['what' => collect([1]), 'name' => $who->tag()])];
    }),

    new Behaviour('process fake', static function (Identity $who, Window $window): array {
        Process::fake(['*' => Process::result($who->tag('out'), $who->tag('err'), $who->number % 3)]);
        Process::preventStrayProcesses();
        $window->open();
        $result = Process::run("visitor {$who->tag()}");
        $window->open();
        $ran = null;
        Process::assertRan(static function (mixed $process) use (&$ran): bool {
            $ran = $process instanceof Illuminate\Process\PendingProcess ? $process->command : null;

            return true;
        });

        return [trim($result->output()), trim($result->errorOutput()), $result->exitCode(), $ran];
    }),

    new Behaviour('cache memo', static function (Identity $who, Window $window): array {
        $memo = Cache::memo('array');
        $before = $memo->get('visitor');
        Cache::store('array')->put('visitor', $who->tag());
        $window->open();
        $memo->put('mine', $who->tag('memo'));
        $window->open();

        return [$before, Cache::memo('array')->get('visitor'), Cache::memo('array')->get('mine'), Cache::store('array')->get('visitor')];
    }),

    new Behaviour('context dehydrated and hydrated', static function (Identity $who, Window $window): array {
        Context::dehydrating(static function (Illuminate\Log\Context\Repository $context) use ($who): void {
            $context->add('left', $who->tag());
        });
        Context::hydrated(static function (Illuminate\Log\Context\Repository $context) use ($who): void {
            $context->add('arrived', $who->tag() . json_encode($context->get('left')));
        });
        Context::add('visitor', $who->tag('context'));
        $window->open();
        $packed = App::make(Illuminate\Log\Context\Repository::class)->dehydrate();
        $window->open();
        App::make(Illuminate\Log\Context\Repository::class)->hydrate($packed);
        $window->open();

        return Context::all();
    }),

    new Behaviour('events deferred by a request', static function (Identity $who, Window $window): array {
        $heard = [];
        Event::listen('visitor.deferred', static function (string $what) use (&$heard, $who): void {
            $heard[] = [$who->tag(), $what];
        });
        $inside = Event::defer(static function () use ($who, $window, &$heard): int {
            Event::dispatch('visitor.deferred', [$who->tag('one')]);
            $window->open();
            Event::dispatch('visitor.deferred', [$who->tag('two')]);

            return count($heard);
        });

        return [$inside, $heard];
    }),

    new Behaviour('deferred functions and concurrency', static function (Identity $who, Window $window): array {
        $ran = [];
        defer(static function () use (&$ran, $who): void {
            $ran[] = $who->tag('deferred');
        }, 'visitor');
        $window->open();
        $waiting = count(defer());
        $answers = Concurrency::driver('sync')->run([static fn (): string => $who->tag('a'), static function () use ($window, $who): string {
            $window->open();

            return $who->tag('b');
        }]);
        App::make(DeferredCallbackCollection::class)->invoke();

        return [$waiting, $answers, $ran, count(defer())];
    }),

    new Behaviour('vite directories, nonces and tags', static function (Identity $who, Window $window): array {
        $before = [Vite::cspNonce(), basename(Vite::hotFile())];
        Vite::useCspNonce($who->tag('nonce'));
        Vite::useBuildDirectory($who->tag('build'));
        Vite::useHotFile("/nowhere/{$who->tag('hot')}");
        Vite::useManifestFilename($who->tag('manifest'));
        $window->open();
        try {
            Vite::asset('app.js');
            $missing = '';
        } catch (Throwable $problem) {
            $missing = basename(dirname($problem->getMessage())) . basename($problem->getMessage());
        }

        return [$before, Vite::cspNonce(), Vite::hotFile(), $missing];
    }),

    new Behaviour('names of factories and models', static function (Identity $who, Window $window): array {
        $before = Factory::resolveFactoryName(User::class);
        Factory::useNamespace("Visitor{$who->number}\\");
        $window->open();
        $named = Factory::resolveFactoryName('App\\Models\\Post');
        Factory::guessFactoryNamesUsing(static fn (string $model): string => "{$who->tag()}$model"); // @phpstan-ignore argument.type
        $window->open();

        return [$before, $named, Factory::resolveFactoryName(User::class)];
    }),

    new Behaviour('addresses in notifications of accounts', static function (Identity $who, Window $window): array {
        $user = new User();
        $user->forceFill(['id' => $who->number, 'email' => "{$who->tag()}@example.test", 'name' => $who->tag()]);
        ResetPassword::createUrlUsing(static fn (mixed $notifiable, string $token): string => "https://{$who->tag()}.test/$token");
        VerifyEmail::createUrlUsing(static fn (mixed $notifiable): string => "https://{$who->tag('verify')}.test/");
        $window->open();

        return [(new ResetPassword('token'))->toMail($user)->actionUrl, (new VerifyEmail())->toMail($user)->actionUrl];
    }),

    new Behaviour('text that is encoded in a way of the request', static function (Identity $who, Window $window): array {
        EncodedHtmlString::encodeUsing(static fn (mixed $value): string => $who->tag() . (is_string($value) ? $value : ''));
        Stringable::macro('visitor', fn (): string => $who->tag('stringable'));
        Str::macro('visitor', static function () use ($who): string {
            static $calls = '';
            $calls .= 'x';

            return $who->tag('call') . $calls;
        });
        $window->open();
        $first = Str::__callStatic('visitor', []);
        $window->open();

        return [(new EncodedHtmlString('&'))->toHtml(), $first, Str::__callStatic('visitor', []), (new Stringable('x'))->__call('visitor', [])];
    }),
];
