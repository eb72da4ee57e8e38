<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

/**
 * Pages that visitors ask for are warmed without being named, and nothing is asked for that they must not choose.
 */
final class LearnTest extends LaravelTestCase
{
    /** So often, and some, a page must have been asked for. */
    private const OFTEN = 30;

    /** Seconds for a warm-up on a machine that has much else to do. */
    private const PATIENCE = 120;

    /** Tells, when it is asked, which of the services requests find made. */
    private const TELLER = <<<'PHP'
        final class Teller
        {
            public function handle(object $request, Closure $next): mixed
            {
                if ($request->has('tell')) {
                    header('X-Made: ' . implode(' ', array_filter(['service.one', 'service.two', 'service.three'], app()->resolved(...))));
                }

                return $next($request);
            }
        }
        final class Service
        {
            public function __construct(public string $about = '')
            {
            }

            public function work(): string
            {
                return str_repeat('x', strlen(serialize(range(1, 20_000))) % 7);
            }
        }
        PHP;

    /** @var list<string> */
    private array $files = [];

    protected function tearDown(): void
    {
        parent::tearDown();
        array_map(unlink(...), array_filter($this->files, is_file(...)));
        $this->files = [];
    }

    public function testWhatVisitorsAskForIsWarmedAndTheWorkersAreReplaced(): void
    {
        $server = $this->serveWith($this->provider(<<<'PHP'
            Route::get('/one', fn (): string => app('service.one')->work() . getmypid() % 1)->middleware('web');
            Route::get('/two', fn (): string => app('service.two')->work())->middleware('web');
            PHP));
        $this->visit($server, '/one', '/two');
        $before = $this->worker($server);
        self::assertSame('', $this->made($server));
        $this->await($server, 'learnt from the traffic');

        self::assertMatchesRegularExpression(
            '~^weft: learnt from the traffic to .* CPU time: (/one|/two) \(\d+ %\), (/one|/two) \(\d+ %\); new workers serve \(--learn=off~m',
            $server->output(),
        );
        self::assertSame('service.one service.two', $this->made($server));
        self::assertNotSame($before, $this->worker($server));
    }

    /**
     * All made-up visitors ask for one path, so what comes from it is equal for them.
     */
    public function testNoPathThatIsOneOfManyOfItsRouteIsLearnt(): void
    {
        $server = $this->serveWith($this->provider(<<<'PHP'
            $this->app->singleton('team', fn (): Service => new Service((string) request()->segment(2)));
            Route::get('/team/{id}', fn (): string => app('team')->about . app('service.one')->work())->middleware('web');
            Route::get('/maybe/{id?}', fn (): string => app('service.one')->work());
            Route::get('/spelled', fn (): string => app('service.one')->work());
            Route::get('/good', fn (): string => app('service.two')->work());
            PHP));
        $this->visit($server, '/team/7', '/maybe', '/%73pelled', '/good');
        $this->await($server, 'learnt from the traffic');

        self::assertStringStartsWith('8', (new Browser($server->url))->get('/team/8')->body, 'The team is that of the path');
        foreach (['/team/7', '/maybe', '/%73pelled'] as $path) {
            self::assertStringContainsString("$path is not learnt: its route has parameters, or is written otherwise", $server->output());
        }
        self::assertSame('service.two', $this->made($server));
    }

    public function testTheSameHoldsForSymfony(): void
    {
        $server = $this->serve(['--workers=1', '--learn=8', '-d', 'weft.learn_after=2'], ['APP_ENV' => 'prod', 'APP_DEBUG' => '0'], SymfonyExample::withSockets());
        $this->visit($server, '/page', '/item/7');
        $this->await($server, 'learnt from the traffic');

        self::assertMatchesRegularExpression('~^weft: learnt from the traffic to .* CPU time: /page \(\d+ %\); new workers serve~m', $server->output());
        self::assertStringContainsString('/item/7 is not learnt: its route has parameters', $server->output());
    }

    /**
     * Each of these notes that it was asked for; the supervisor must have looked at the traffic, and asked for none.
     */
    public function testWhatVisitorsMustNotChooseIsNotAskedFor(): void
    {
        $notes = $this->file();
        $server = $this->serveWith($this->provider(str_replace('NOTES', $notes, <<<'PHP'
            config(['weft.cold' => ['/shop/*']]);
            $note = function (Illuminate\Http\Request $request): string {
                file_put_contents('NOTES', $request->path() . "\n", FILE_APPEND);

                return app('service.one')->work();
            };
            Route::get('/account/logout', $note);
            Route::get('/mail/unsubscribe/{name}', $note);
            Route::get('/secret/{token}', $note);
            Route::get('/shop/shelf', $note);
            Route::get('/query', $note);
            Route::post('/posted', $note);
            Route::get('/members', fn (Illuminate\Http\Request $request): mixed => $request->hasHeader('X-Member') ? $note($request) : redirect('/login'));
            Route::get('/good', fn (): string => app('service.two')->work());
            PHP)));
        $paths = ['/account/logout', '/mail/unsubscribe/me', '/secret/9f86d081884c7d659a2feaa0c55ad015', '/shop/shelf', '/query?page=2', '/members'];
        $this->visit($server, ...[...$paths, '/good']);
        $browser = new Browser($server->url);
        Browser::together(array_fill(0, self::OFTEN, static fn (): array => [$browser, $browser->request('/posted', ['a' => 'b'])]));
        $asked = file($notes);
        $this->await($server, 'learnt from the traffic');

        self::assertSame($asked, file($notes), 'Nothing was asked for but by visitors');
        self::assertGreaterThanOrEqual(6 * self::OFTEN, count($asked ?: []));
        self::assertSame('service.two', $this->made($server));
        $because = ['logout' => 'its name', 'unsubscribe/me' => 'its name', '9f86d081884c7d659a2feaa0c55ad015' => 'it holds what looks like a token', 'shop/shelf' => '"cold"'];
        foreach ($because as $path => $reason) {
            self::assertStringContainsString("$path is not learnt: $reason", $server->output());
        }
        self::assertStringContainsString('/members is not learnt: a visitor without cookies gets 302 (', $server->output());
        self::assertDoesNotMatchRegularExpression('~^weft: .*/(query|posted)~m', $server->output());
    }

    public function testAPageThatHangsCrashesOrTakesAllMemoryIsLeftOutForGood(): void
    {
        $server = $this->serveWith($this->provider(<<<'PHP'
            $bad = fn (Closure $does): Closure => function (Illuminate\Http\Request $request) use ($does): string {
                if (str_ends_with($request->getHost(), '.weft.test')) {
                    $does();
                }

                return app('service.one')->work();
            };
            Route::get('/hangs', $bad(function (): void {
                while (true) {
                }
            }));
            Route::get('/crashes', $bad(function (): void {
                // the C stack overflows
                $deeper = function () use (&$deeper): void {
                    array_map($deeper, [1]);
                };
                $deeper();
            }));
            Route::get('/grows', $bad(function (): void {
                for ($held = [];;) {
                    $held[] = str_repeat('x', 1 << 20);
                }
            }));
            Route::get('/good', fn (): string => app('service.two')->work());
            PHP), ['-d', 'weft.warm_timeout=20']);
        $before = $this->worker($server);
        $this->visit($server, '/hangs', '/crashes', '/grows', '/good');
        $this->await($server, 'learnt from the traffic');
        $output = $server->output();

        self::assertStringContainsString('/hangs is not learnt: it took longer than 5 s', $output);
        self::assertStringContainsString('/crashes is not learnt: it crashed', $output);
        self::assertStringContainsString('/grows is not learnt: ', $output);
        self::assertSame('service.two', $this->made($server));
        self::assertNotSame($before, $this->worker($server));
        self::assertSame(200, (new Browser($server->url))->get('/hangs')->status);
    }

    public function testNothingGoesLiveThatWasNotReloaded(): void
    {
        $code = $this->provider("Route::get('/one', fn (): string => 'old' . app('service.one')->work());");
        $server = $this->serveWith($code);
        $before = $this->worker($server);
        file_put_contents($this->files[0], str_replace("'old'", "'newer'", (string) file_get_contents($this->files[0])));
        $this->visit($server, '/one');
        $this->await($server, 'nothing was learnt from the traffic');

        self::assertStringContainsString("{$this->files[0]} has changed on the disk since the boot", $server->output());
        self::assertSame($before, $this->worker($server));
        self::assertStringStartsWith('old', (new Browser($server->url))->get('/one')->body);
    }

    public function testAReloadEndsWhatIsLearntAndTheNextTrafficTeachesAgain(): void
    {
        $server = $this->serveWith($this->provider("Route::get('/one', fn (): string => app('service.one')->work());"));
        $this->visit($server, '/one');
        $this->await($server, 'learnt from the traffic');
        $server->signal(SIGHUP);
        $this->await($server, 'weft: reloaded');
        self::assertSame('', $this->made($server));
        $this->visit($server, '/one');
        $this->eventually(fn (): bool => substr_count($server->output(), 'learnt from the traffic') === 2, 'It learns again', self::PATIENCE);
        self::assertSame('service.one', $this->made($server));
    }

    public function testItCanBeSwitchedOff(): void
    {
        foreach (['--learn=off', '--warm=off'] as $off) {
            $server = $this->serveWith($this->provider("Route::get('/one', fn (): string => app('service.one')->work());"), [$off]);
            self::assertNotContains("weft-spare\n", array_map(fn (int $pid): string => (string) @file_get_contents("/proc/$pid/comm"), $server->processes()));
        }
        $on = $this->serveWith($this->provider("Route::get('/one', fn (): string => app('service.one')->work());"), ['--learn=1']);
        self::assertContains("weft-spare\n", array_map(fn (int $pid): string => (string) @file_get_contents("/proc/$pid/comm"), $on->processes()));
    }

    private function provider(string $boot): string
    {
        return self::TELLER . <<<PHP

            final class Provider extends Illuminate\\Support\\ServiceProvider
            {
                public function boot(): void
                {
                    foreach (['one', 'two', 'three'] as \$name) {
                        \$this->app->singleton("service.\$name", fn (): Service => new Service());
                    }
                    \$this->app->make(Illuminate\\Contracts\\Http\\Kernel::class)->prependMiddleware(Teller::class);
                    $boot
                }
            }
            PHP;
    }

    private function visit(Server $server, string ...$paths): void
    {
        for ($i = 0; $i < self::OFTEN; $i++) {
            foreach ($paths as $path) {
                self::assertSame(200, (new Browser($server->url))->get($path, ['X-Member: yes'])->status, $path);
            }
        }
    }

    private function made(Server $server): string
    {
        return ((new Browser($server->url))->get('/hello?tell=1')->headers['x-made'] ?? [''])[0];
    }

    private function worker(Server $server): string
    {
        return (new Browser($server->url))->get('/sleep?ms=0')->text('pid');
    }

    private function await(Server $server, string $line): void
    {
        $this->eventually(fn (): bool => str_contains($server->output(), $line), "\"$line\" is not said:\n" . $server->output(), self::PATIENCE);
    }

    private function file(): string
    {
        return $this->files[] = (string) tempnam(sys_get_temp_dir(), 'weft');
    }

    /**
     * The example with one more package, whose class Provider is this.
     *
     * @param list<string> $options
     */
    private function serveWith(string $classes, array $options = []): Server
    {
        $packages = $this->file();
        $services = $this->files[] = sys_get_temp_dir() . '/weft-services-' . bin2hex(random_bytes(6)) . '.php';
        file_put_contents($packages, "<?php\n$classes\nreturn ['weft/tests' => ['providers' => [Provider::class]]];\n");

        return $this->serve(['--workers=1', '-d', 'weft.learn_after=2', ...$options], ['APP_PACKAGES_CACHE' => $packages, 'APP_SERVICES_CACHE' => $services]);
    }
}
