<?php

declare(strict_types=1);

// Services that a request replaces, fakes, or fills: HTTP client, log, mail, storage, cache, container, validator.

use Illuminate\Http\Client\Request as ClientRequest;
use Illuminate\Support\Arr;
use Illuminate\Support\Collection;
use Illuminate\Support\Facades\App;
use Illuminate\Support\Facades\Bus;
use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Facades\Context;
use Illuminate\Support\Facades\Facade;
use Illuminate\Support\Facades\Hash;
use Illuminate\Support\Facades\Http;
use Illuminate\Support\Facades\Log;
use Illuminate\Support\Facades\Mail;
use Illuminate\Support\Facades\Notification;
use Illuminate\Support\Facades\Queue;
use Illuminate\Support\Facades\Response;
use Illuminate\Support\Facades\Storage;
use Illuminate\Support\Facades\Validator;
use Illuminate\Support\Once;
use Illuminate\Support\Sleep;
use Illuminate\Support\Str;
use Weft\IsolationTests\Behaviour;
use Weft\IsolationTests\Effects;
use Weft\IsolationTests\Identity;
use Weft\IsolationTests\Lazy\Counter;
use Weft\IsolationTests\Window;

return [
    new Behaviour('http fake', static function (Identity $who, Window $window): array {
        Http::fake(['example.test/*' => Http::response(['for' => $who->tag()], 200 + $who->number % 50), '*' => Http::response($who->tag('other'))]);
        Http::preventStrayRequests();
        $window->open();
        $answer = Http::withHeaders(['X-Visitor' => $who->tag()])->get("http://example.test/{$who->tag()}");
        $window->open();
        $second = Http::get('http://other.test/')->body();

        return [
            $answer->json(),
            $answer->status(),
            $second,
            Http::recorded()->map(static fn (array $pair): string => $pair[0] instanceof ClientRequest ? $pair[0]->url() : '')->all(),
        ];
    }),

    new Behaviour('http macros and global options', static function (Identity $who, Window $window): array {
        Http::macro('visitor', fn (): string => $who->tag());
        Http::globalRequestMiddleware(static fn (Psr\Http\Message\RequestInterface $request): Psr\Http\Message\RequestInterface => $request->withHeader('X-Global', $who->tag()));
        Http::globalOptions(['timeout' => 100 + $who->number]);
        Http::fake(static fn (ClientRequest $request): mixed => Http::response([$request->header('X-Global'), $request->url()]));
        $window->open();

        return [
            Http::__callStatic('visitor', []),
            Http::get("http://a.test/{$who->tag()}")->json(),
            count(Http::getGlobalMiddleware()),
            Http::createPendingRequest()->getOptions()['timeout'] ?? null,
        ];
    }),

    new Behaviour('http sequences', static function (Identity $who, Window $window): array {
        $sequence = Http::sequence();
        foreach ([1, 2, 3] as $number) {
            $sequence->push($who->tag("answer$number"));
        }
        Http::fake(['*' => $sequence]);
        $seen = [];
        foreach ([1, 2, 3] as $number) {
            $window->open();
            $seen[] = Http::get('http://a.test/')->body();
        }

        return [$seen, $sequence->isEmpty()];
    }),

    new Behaviour('log context and shared context', static function (Identity $who, Window $window): array {
        $before = Log::sharedContext();
        Log::shareContext(['shared' => $who->tag()]);
        Log::withContext(['visitor' => $who->tag()]);
        $heard = [];
        Log::listen(static function (Illuminate\Log\Events\MessageLogged $event) use (&$heard, $who): void {
            $heard[] = [$who->tag(), $event->message, $event->context];
        });
        $window->open();
        Log::info('hello', ['n' => $who->number]);
        $window->open();
        Log::build(['driver' => 'monolog', 'handler' => Monolog\Handler\NullHandler::class])->info('built');

        return [$before, Log::sharedContext(), $heard];
    }),

    new Behaviour('log channels and files', static function (Identity $who, Window $window): array {
        $file = sys_get_temp_dir() . "/weft-isolation-log-{$who->tag()}-" . getmypid() . "-$who->round.log";
        config(['logging.channels.visitor' => ['driver' => 'single', 'path' => $file, 'level' => 'debug']]);
        Log::setDefaultDriver('visitor');
        Log::shareContext(['who' => $who->tag()]);
        $window->open();
        Log::warning("first {$who->tag()}");
        $window->open();
        Log::channel('visitor')->error("second {$who->tag()}");
        $lines = array_map(static fn (string $line): string => (string) preg_replace('/^\[.*?\] /', '', trim($line)), file($file) ?: []);
        unlink($file);

        return [$lines, Log::getDefaultDriver(), array_keys(Log::getChannels())];
    }),

    new Behaviour('context', static function (Identity $who, Window $window): array {
        $before = [Context::all(), Context::allHidden()];
        Context::add('visitor', $who->tag());
        Context::addHidden('secret', $who->tag('secret'));
        Context::push('trail', $who->tag('one'));
        $window->open();
        Context::push('trail', $who->tag('two'));
        $scoped = Context::scope(static function () use ($window): array {
            $window->open();

            return Context::all();
        }, ['inner' => $who->tag()]);

        return [$before, Context::all(), Context::allHidden(), $scoped];
    }),

    new Behaviour('once and memoised values', static function (Identity $who, Window $window): array {
        $counter = App::make(Counter::class);
        $first = $counter->remembered();
        $window->open();
        $again = $counter->remembered();
        Once::flush();
        $window->open();

        return [$first, $again, $counter->remembered(), $counter->calls];
    }),

    new Behaviour('container bind, instance and extend', static function (Identity $who, Window $window): array {
        $before = [App::bound('visitor'), App::bound('visitor.instance')];
        App::bind('visitor', static fn (): string => $who->tag('bound'));
        App::instance('visitor.instance', $who->tag('instance'));
        App::extend('visitor', static fn (string $value): string => "$value extended by {$who->tag()}");
        App::alias('visitor', $who->tag('alias'));
        App::tag(['visitor'], 'visitors');
        App::when(Counter::class)->needs('$start')->give($who->number);
        $window->open();

        return [$before, App::make('visitor'), App::make('visitor.instance'), App::make($who->tag('alias')), [...App::tagged('visitors')], App::make(Counter::class)->start];
    }),

    new Behaviour('container resolving callbacks that wait', static function (Identity $who, Window $window): array {
        App::bind('slow', static function () use ($who, $window): Collection {
            $window->open();

            return new Collection([$who->tag()]);
        });
        App::resolving('slow', static function (Collection $made) use ($who, $window): void {
            $window->open();
            $made->push("resolving {$who->tag()}");
        });
        App::afterResolving('slow', static fn (Collection $made): Collection => $made->push("after {$who->tag()}"));
        App::rebinding('slow', static fn (): null => null);

        return [App::make('slow')->all(), App::make('slow')->count(), app()->resolved('slow')];
    }),

    new Behaviour('container builds while others build', static function (Identity $who, Window $window): array {
        App::bind('outer', static function () use ($window, $who): array {
            $window->open();

            return [$who->tag('outer'), App::make('inner', ['given' => $who->tag('given')])];
        });
        App::bind('inner', static function (Illuminate\Container\Container $app, array $with) use ($window): array {
            $window->open();

            return $with;
        });

        return [App::make('outer'), App::make('outer')];
    }),

    new Behaviour('scoped and singleton services made in a request', static function (Identity $who, Window $window): array {
        $singleton = App::make('visitor.singleton');
        $scoped = App::make('visitor.scoped');
        $singleton->value .= $who->tag();
        $scoped->value .= $who->tag();
        $window->open();
        $again = [App::make('visitor.singleton')->value, App::make('visitor.scoped')->value];
        App::forgetScopedInstances();
        $window->open();

        return [$again, App::make('visitor.singleton') === $singleton, App::make('visitor.scoped') === $scoped];
    }, setUp: static function (): void {
        $make = static fn (): object => new class () {
            public string $value = 'new ';
        };
        App::singleton('visitor.singleton', $make);
        App::scoped('visitor.scoped', $make);
    }),

    new Behaviour('singletons of the framework made in a request', static function (Identity $who, Window $window): array {
        $hash = Hash::driver('bcrypt');
        config(['hashing.bcrypt.rounds' => 4]);
        Hash::setRounds(4);
        $window->open();
        $broadcaster = App::make(Illuminate\Contracts\Broadcasting\Factory::class);
        $broadcaster->setDefaultDriver($who->tag());
        $window->open();

        return [$hash === Hash::driver('bcrypt'), $broadcaster === App::make(Illuminate\Contracts\Broadcasting\Factory::class), $broadcaster->getDefaultDriver()];
    }),

    new Behaviour('swap of facades', static function (Identity $who, Window $window): array {
        Hash::swap(new class ($who->tag()) {
            public function __construct(private string $who)
            {
            }

            public function make(string $secret): string
            {
                return "$secret hashed by $this->who";
            }
        });
        Response::macro('visitor', fn (): string => $who->tag());
        $window->open();
        $seen = Hash::make('x');
        Facade::clearResolvedInstance('hash');
        $window->open();

        return [$seen, Hash::make('y'), Response::__callStatic('visitor', [])];
    }),

    new Behaviour('facades mocked and spied', static function (Identity $who, Window $window): array {
        $before = Facade::getFacadeApplication() === App::getFacadeRoot();
        Queue::fake();
        Bus::fake();
        Notification::fake();
        $window->open();
        Queue::push($who->tag('job'));
        $window->open();

        return [$before, count(Queue::pushedJobs()), array_keys(Queue::pushedJobs()), get_class((object) Bus::getFacadeRoot()), Queue::size()];
    }),

    new Behaviour('mail always to', static function (Identity $who, Window $window): array {
        config(['mail.default' => 'array', 'mail.mailers.array' => ['transport' => 'array']]);
        Mail::alwaysTo("{$who->tag()}@always.test");
        Mail::alwaysFrom("{$who->tag()}@from.test", $who->tag());
        $window->open();
        Mail::raw("text of {$who->tag()}", static function (Illuminate\Mail\Message $message) use ($who, $window): void {
            $window->open();
            $message->to("{$who->tag()}@visitor.test")->subject($who->tag('subject'));
        });
        $window->open();
        $transport = Mail::mailer('array')->getSymfonyTransport();
        $sent = $transport instanceof Illuminate\Mail\Transport\ArrayTransport ? $transport->messages() : collect();

        return $sent->map(static fn (Symfony\Component\Mailer\SentMessage $message): array => [
            array_map(static fn (Symfony\Component\Mime\Address $address): string => $address->toString(), $message->getEnvelope()->getRecipients()),
            preg_match('/^From: .*$/m', $message->toString(), $from), trim($from[0] ?? ''), preg_match('/^Subject: .*$/m', $message->toString(), $subject), trim($subject[0] ?? ''),
        ])->all();
    }),

    new Behaviour('mail fake and drivers', static function (Identity $who, Window $window): array {
        Mail::extend('by-visitor', static fn (): Illuminate\Mail\Transport\ArrayTransport => new Illuminate\Mail\Transport\ArrayTransport());
        config(["mail.mailers.{$who->tag()}" => ['transport' => 'by-visitor'], 'mail.default' => $who->tag()]);
        $window->open();
        $transport = Mail::mailer()->getSymfonyTransport();
        Mail::fake();
        $window->open();

        return [$transport::class, Mail::getDefaultDriver(), get_class((object) Mail::getFacadeRoot())];
    }),

    new Behaviour('storage fake and disks', static function (Identity $who, Window $window): array {
        $root = sys_get_temp_dir() . "/weft-isolation-{$who->tag()}-" . getmypid() . "-$who->round";
        Storage::set('visitor', Storage::build($root));
        config(['filesystems.default' => 'visitor']);
        $window->open();
        Storage::put('file.txt', $who->tag());
        $window->open();
        $seen = [Storage::get('file.txt'), Storage::disk('visitor')->path('x') === "$root/x", Storage::files()];
        Storage::deleteDirectory('/');

        return [$seen, is_dir("$root/x")];
    }),

    new Behaviour('array cache', static function (Identity $who, Window $window): array {
        $before = Cache::get('visitor');
        Cache::put('visitor', $who->tag(), 60);
        Cache::forever("of-{$who->tag()}", 1);
        $window->open();
        $remembered = Cache::remember('slow', 60, static function () use ($who, $window): string {
            $window->open();

            return $who->tag('computed');
        });
        Cache::increment('count', $who->number);
        $window->open();

        return [$before, Cache::get('visitor'), $remembered, Cache::get('slow'), Cache::get('count'), Cache::lock('lock')->get(), Cache::lock('lock')->get()];
    }),

    new Behaviour('cache drivers and prefix', static function (Identity $who, Window $window): array {
        Cache::extend('mine', fn (): Illuminate\Cache\Repository => Cache::repository(new Illuminate\Cache\ArrayStore()));
        config(['cache.stores.mine' => ['driver' => 'mine'], 'cache.default' => 'mine']);
        Cache::setDefaultDriver('mine');
        Cache::put('a', $who->tag());
        $window->open();
        $seen = Cache::get('a');
        Cache::forgetDriver('mine');
        $window->open();

        return [$seen, Cache::get('a'), Cache::getDefaultDriver()];
    }),

    new Behaviour('validator extend', static function (Identity $who, Window $window): array {
        Validator::extend('visitor', static fn (string $attribute, mixed $value): bool => $value === $who->tag(), ":attribute is not {$who->tag()}");
        Validator::replacer('visitor', static fn (string $message): string => "$message, says {$who->tag()}");
        $window->open();
        $validator = Validator::make(['a' => $who->tag(), 'b' => 'nobody'], ['a' => 'visitor', 'b' => 'visitor|required']);
        $window->open();

        return [$validator->fails(), $validator->errors()->all()];
    }),

    new Behaviour('validator rules that wait, with defaults', static function (Identity $who, Window $window): array {
        Illuminate\Validation\Rules\Password::defaults(static fn (): Illuminate\Validation\Rules\Password => Illuminate\Validation\Rules\Password::min(4 + $who->number));
        Validator::excludeUnvalidatedArrayKeys();
        $rule = static function (string $attribute, mixed $value, Closure $fail) use ($who, $window): void {
            $window->open();
            if ($value !== $who->tag()) {
                $fail("$attribute of {$who->tag()}");
            }
        };
        $window->open();
        $validator = Validator::make(
            ['a' => $who->tag(), 'b' => 'x', 'password' => 'short'],
            ['a' => [$rule], 'b' => [$rule], 'password' => Illuminate\Validation\Rules\Password::default()],
        );

        return [$validator->errors()->all()];
    }),

    new Behaviour('macros', static function (Identity $who, Window $window): array {
        $before = [Str::hasMacro('visitor'), Collection::hasMacro('visitor'), Arr::hasMacro('visitor')];
        Str::macro('visitor', fn (): string => $who->tag('str'));
        Collection::macro('visitor', fn (): string => $who->tag('collection'));
        Arr::macro('visitor', fn (): string => $who->tag('arr'));
        $window->open();
        $seen = [Str::__callStatic('visitor', []), collect()->__call('visitor', []), Arr::__callStatic('visitor', [])];
        Str::flushMacros();
        $window->open();

        return [$before, $seen, Str::hasMacro('visitor')];
    }),

    new Behaviour('sleep fake', static function (Identity $who, Window $window): array {
        if ($who->isEven()) {
            Sleep::fake();
        }
        $window->open();
        $before = hrtime(true);
        Sleep::for($who->isEven() ? 5_000_000 : 100)->microseconds();
        $window->open();

        if ($who->isEven()) {
            Sleep::assertSleptTimes(1);
        }

        return [hrtime(true) - $before < 4e9];
    }),

    new Behaviour('terminating callbacks', static function (Identity $who, Window $window): array {
        App::terminating(static function () use ($who, $window): void {
            $window->open();
            Effects::add($who, 'terminating', [$who->tag(), config('app.visitor')]);
        });
        config(['app.visitor' => $who->tag('later')]);
        Illuminate\Support\defer(static fn () => Effects::add($who, 'deferred', $who->tag()), $who->tag());
        $window->open();
        App::terminating(static fn () => Effects::add($who, 'second', $who->tag()));

        return [$who->tag()];
    }),

    new Behaviour('trim, prune and other static options of middleware', static function (Identity $who, Window $window): array {
        Illuminate\Foundation\Http\Middleware\TrimStrings::except([$who->tag()]);
        Illuminate\Foundation\Http\Middleware\TrimStrings::skipWhen(static fn (): bool => $who->isEven());
        Illuminate\Foundation\Http\Middleware\ConvertEmptyStringsToNull::skipWhen(static fn (): bool => !$who->isEven());
        $window->open();
        $request = Illuminate\Http\Request::create('/', 'POST', ['a' => '  a ', 'b' => '']);
        (new Illuminate\Foundation\Http\Middleware\TrimStrings())->handle($request, static fn (): null => null);
        (new Illuminate\Foundation\Http\Middleware\ConvertEmptyStringsToNull())->handle($request, static fn (): null => null);

        return $request->all();
    }),

    new Behaviour('json resources', static function (Identity $who, Window $window): array {
        $who->isEven() ? Illuminate\Http\Resources\Json\JsonResource::withoutWrapping() : Illuminate\Http\Resources\Json\JsonResource::wrap($who->tag());
        $window->open();
        $resource = new Illuminate\Http\Resources\Json\JsonResource(['a' => $who->tag()]);

        return (array) json_decode((string) $resource->toResponse(request())->getContent(), true);
    }),

    new Behaviour('exception handler at run time', static function (Identity $who, Window $window): array {
        $handler = App::make(Illuminate\Contracts\Debug\ExceptionHandler::class);
        if ($handler instanceof Illuminate\Foundation\Exceptions\Handler) {
            $handler->renderable(static fn (DomainException $error): mixed => response()->json(['rendered for' => $who->tag(), 'message' => $error->getMessage()], 418));
            $handler->ignore(DomainException::class);
        }
        $window->open();
        throw new DomainException("thrown by {$who->tag()}");
    }),
];
