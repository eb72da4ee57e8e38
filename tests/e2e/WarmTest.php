<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use PHPUnit\Framework\Attributes\DataProvider;
use RuntimeException;
use Symfony\Component\Process\Process;

/**
 * What is warmed, what is said about it, and what must not be seen of it.
 */
final class WarmTest extends LaravelTestCase
{
    public function testTheFirstPageIsWarmedByDefault(): void
    {
        $server = $this->serve();

        self::assertMatchesRegularExpression('~^  Warm: / \(\d+ values kept, \d+ put back\)$~m', (string) file_get_contents($server->log));
        self::assertSame(200, (new Browser($server->url))->get('/')->status);
    }

    public function testSeveralPagesAreWarmed(): void
    {
        $server = $this->serve(['--workers=1', '--warm=/,/hello,/test,/bench,/isolation,/login']);

        self::assertStringContainsString('Warm: / /hello /test /bench /isolation /login (', (string) file_get_contents($server->log));
        $browser = new Browser($server->url);
        foreach (['/', '/hello', '/test', '/bench', '/isolation?tag=me', '/login', '/contact'] as $page) {
            self::assertSame(200, $browser->get($page)->status, $page);
        }
        self::assertSame(404, $browser->get('/weft-warm-up-other-page')->status, 'The page that warm-up makes up is gone');
    }

    /**
     * As it is deployed: the routes come from a file, and the container is told of their collection at boot.
     */
    public function testAnApplicationWithCachedConfigurationAndRoutesIsWarmed(): void
    {
        $server = $this->cached(fn (array $cached): Server => $this->serve(['--workers=1', '--warm=/,/hello'], $cached));

        self::assertStringContainsString('Warm: / /hello (', (string) file_get_contents($server->log));
        self::assertStringContainsString("$server->url/waterfall", (new Browser($server->url))->get('/')->body, 'A URL that the page has generated');
    }

    /**
     * Else each request would make it and compile its pattern, which Laravel does once in a process.
     */
    public function testTheCachedRouteOfAPageIsKept(): void
    {
        $server = $this->cached(fn (array $cached): Server => $this->serveWith(<<<'PHP'
            final class Teller
            {
                public function handle(object $request, Closure $next): mixed
                {
                    if ($request->has('tell')) {
                        $made = new ReflectionProperty(Illuminate\Routing\CompiledRouteCollection::class, 'nameCache');
                        foreach ($made->getValue(app('router')->getRoutes()) as $route) {
                            if ($route->compiled !== null) {
                                header('X-Compiled: ' . $route->uri(), false);
                            }
                        }
                    }

                    return $next($request);
                }
            }
            final class Provider extends Illuminate\Support\ServiceProvider
            {
                public function boot(): void
                {
                    $this->app->make(Illuminate\Contracts\Http\Kernel::class)->prependMiddleware(Teller::class);
                }
            }
            PHP, ['--warm=/,/hello,/report/rates/USD'], $cached));
        $browser = new Browser($server->url);

        self::assertEqualsCanonicalizing(['/', 'hello', 'report/rates/{currency}'], $browser->get('/login?tell=1')->headers['x-compiled'] ?? []);
        self::assertStringContainsString('GBP', $browser->get('/report/rates/GBP')->body, 'Each request has parameters of its own');
        self::assertStringContainsString('USD', $browser->get('/report/rates/USD')->body);
    }

    /** @return array<string, array{mixed, string}> */
    public static function configurations(): array
    {
        return [
            'two pages' => [['warm' => ['/', '/hello']], '/^  Warm: \/ \/hello \(/m'],
            'none' => [['warm' => false], '/^(?!.*(Warm|Cold):)/s'],
            'no list' => [['warm' => '/hello'], '/config\/weft\.php: "warm" must be false or a list of paths/'],
            'no path' => [['warm' => ['hello']], '/config\/weft\.php: "warm" must be false or a list of paths/'],
            'a misspelt setting' => [['wram' => ['/']], '/config\/weft\.php: there is no setting "wram"\. Did you mean "warm"\? Known: "shared", "warm", "cold",/'],
            'no settings' => [7, '/config\/weft\.php must return an array of settings; it returned int\./'],
        ];
    }

    #[DataProvider('configurations')]
    public function testTheApplicationMaySayWhatIsWarmed(mixed $settings, string $said): void
    {
        $cache = self::cachedConfiguration($settings);
        try {
            $output = (string) file_get_contents($this->serve(['--workers=1'], ['APP_CONFIG_CACHE' => $cache])->log);
        } catch (RuntimeException $refused) {
            $output = $refused->getMessage();
        } finally {
            unlink($cache);
        }
        self::assertMatchesRegularExpression($said, $output);
    }

    /** @return array<string, array{string, string}> */
    public static function pagesThatStayCold(): array
    {
        return [
            'an error' => [
                '/exception',
                'Cold: GET /exception answered 500 (RuntimeException: The example went wrong on purpose. in ' . Example::path() . '/app/Http/Controllers/TroubleController.php:',
            ],
            'no such page' => ['/nowhere', 'Cold: GET /nowhere answered 404'],
            'exit()' => ['/exit', 'Cold: GET /exit answered 5'],
        ];
    }

    #[DataProvider('pagesThatStayCold')]
    public function testThePageThatCannotBeWarmedLeavesTheServerCold(string $page, string $line): void
    {
        $server = $this->serve(['--workers=1', "--warm=$page"]);

        self::assertStringContainsString($line, (string) file_get_contents($server->log));
        self::assertSame(200, (new Browser($server->url))->get('/')->status);
    }

    public function testAPageThatFailsIsLeftOutAndTheOthersAreWarmed(): void
    {
        $server = $this->serve(['--workers=1', '--warm=/,/exception,/nowhere,/exit,/hello']);

        $log = (string) file_get_contents($server->log);
        self::assertStringContainsString('Warm: / /hello (', $log);
        self::assertMatchesRegularExpression(
            '~; left out: GET /exception answered 500 \(RuntimeException: The example went wrong on purpose\. in \S+/TroubleController\.php:\d+\); ~',
            $log,
        );
        self::assertStringContainsString('; GET /nowhere answered 404 (', $log);
        self::assertStringContainsString('; GET /exit answered 5', $log);
        $browser = new Browser($server->url);
        foreach (['/' => 200, '/exception' => 500, '/nowhere' => 404, '/hello' => 200] as $page => $status) {
            self::assertSame($status, $browser->get($page)->status, $page);
        }
    }

    public function testAValueThatMisleadsAPageIsDroppedAloneAndNamed(): void
    {
        $cache = self::cachedConfiguration(['warm' => ['/', '/memo']]);
        try {
            $audit = new Process(
                [PHP_BINARY, dirname(__DIR__, 2) . '/bin/weft', 'audit', Example::path(), '--json', '--urls-only', '--url=/memo'],
                null,
                ['APP_CONFIG_CACHE' => $cache],
                timeout: 600,
            );
            $audit->run();
        } finally {
            unlink($cache);
        }
        $report = json_decode($audit->getOutput(), true, flags: JSON_THROW_ON_ERROR);
        $warm = is_array($report) ? $report['warm'] ?? null : null;

        self::assertIsArray($warm);
        self::assertIsString($warm['outcome']);
        self::assertStringStartsWith('warm: / /memo (', $warm['outcome']);
        self::assertIsArray($warm['putBack']);
        self::assertSame(
            'GET /memo differs when warm: no longer asks the database "select "title", "id" from "posts" order by "id" asc limit 3": something keeps the answer',
            $warm['putBack']['App\Http\Controllers\TroubleController::memo()::$titles'] ?? null,
        );
    }

    public function testOnlyModelsWhoseBootIsLaravelsOwnAreBootedAhead(): void
    {
        $server = $this->serve(['--workers=1', '--warm=/drafts']);
        self::assertStringContainsString('Warm: /drafts (', (string) file_get_contents($server->log));
        $guest = new Browser($server->url);
        $booted = $guest->get('/booted')->body;
        self::assertStringContainsString('Post"', $booted);
        self::assertStringNotContainsString('Draft', $booted);
        self::assertStringContainsString('false', $guest->get('/drafts')->body);

        $user = new Browser($server->url);
        $user->submit('/login', ['email' => 'user1@example.com', 'password' => 'password']);
        self::assertStringNotContainsString('false', $user->get('/drafts')->body, 'A guest has booted the model for others');
        self::assertStringContainsString('false', $guest->get('/drafts')->body, 'A user has booted the model for others');
    }

    /**
     * Made at boot, this one would know the boot's made-up request for good.
     */
    public function testAnUrlGeneratorOfTheApplicationsOwnIsMadeInTheRequest(): void
    {
        $server = $this->serveWith(<<<'PHP'
            final class UrlsOfTheFirstHost extends Illuminate\Routing\UrlGenerator
            {
            }
            final class Provider extends Illuminate\Support\ServiceProvider
            {
                public function boot(): void
                {
                    $this->app->extend('url', static function (object $url, object $app): UrlsOfTheFirstHost {
                        $own = new UrlsOfTheFirstHost($app['routes'], $app['request']);
                        $own->useOrigin($app['request']->root());

                        return $own;
                    });
                }
            }
            PHP);
        $body = (new Browser($server->url))->get('/')->body;

        self::assertStringContainsString('Warm: / (', (string) file_get_contents($server->log));
        self::assertStringContainsString("$server->url/waterfall", $body);
    }

    /**
     * Two services keep what they have asked the database for, and others are made by a provider that is loaded when they are
     * needed: what that leaves behind is of no use in part.
     */
    public function testEachServiceThatKeepsRowsIsDroppedAlone(): void
    {
        $server = $this->serveWith(<<<'PHP'
            final class Rows
            {
                private ?array $rows = null;

                public function __construct(private readonly string $table)
                {
                }

                public function all(): array
                {
                    return $this->rows ??= DB::select("select id from $this->table order by id limit 2");
                }
            }
            final class Provider extends Illuminate\Support\ServiceProvider
            {
                public function boot(): void
                {
                    foreach (['users', 'posts'] as $table) {
                        $this->app->singleton("rows.$table", fn (): Rows => new Rows($table));
                    }
                    $this->app->singleton('first', fn (): ?App\Models\User => App\Models\User::query()->first());
                    Route::get('/rows', fn (): array => [
                        app('hash')->isHashed('x'), app('rows.users')->all(), app('rows.posts')->all(), app('first'),
                    ])->middleware('web');
                }
            }
            PHP, ['--warm=/,/rows']);

        self::assertMatchesRegularExpression(
            '~^  Warm: / /rows \(\d+ values kept, \d+ put back\); not kept, since they mislead: (\S+\$instances\[rows\.(users|posts)\](, )?){2}$~m',
            (string) file_get_contents($server->log),
        );
    }

    /**
     * What such a provider registers is of no use in part, and some of it can't be kept: here an object that has a destructor.
     */
    public function testTheDeferredProvidersThatThePagesNeedAreLoadedAhead(): void
    {
        $server = $this->serveWith(<<<'PHP'
            final class Bureau
            {
                public function __construct(public array $offices)
                {
                }

                public function __destruct()
                {
                }
            }
            abstract class Office extends Illuminate\Support\ServiceProvider implements Illuminate\Contracts\Support\DeferrableProvider
            {
                public function register(): void
                {
                    $bureau = new Bureau([static::class]);
                    $this->app->singleton(static::class . '.door', fn (): string => implode($bureau->offices));
                }

                public function provides(): array
                {
                    return [static::class . '.door'];
                }
            }
            final class Used extends Office
            {
            }
            final class Unused extends Office
            {
            }
            final class Provider extends Illuminate\Support\ServiceProvider
            {
                public function boot(): void
                {
                    $this->app->addDeferredServices(['Used.door' => Used::class, 'Unused.door' => Unused::class]);
                    $loaded = fn (): string => json_encode(array_map($this->app->providerIsLoaded(...), ['Used', 'Unused']));
                    Route::get('/used', fn (): string => app('Used.door') . cache()->get('none', 'nothing') . __('auth.failed'));
                    Route::get('/loaded', $loaded);
                }
            }
            PHP, ['--warm=/,/used']);
        $browser = new Browser($server->url);

        self::assertStringContainsString('Warm: / /used (', (string) file_get_contents($server->log));
        self::assertSame('Usednothing' . 'These credentials do not match our records.', $browser->get('/used')->body);
        self::assertSame('[true,false]', $browser->get('/loaded')->body);
    }

    public function testAKernelWithoutTheGroupWebKeepsNothingCold(): void
    {
        $server = $this->serveWith(<<<'PHP'
            final class Provider extends Illuminate\Support\ServiceProvider
            {
                public function boot(): void
                {
                    $this->app->booted(static function (): void {
                        Route::flushMiddlewareGroups();
                        Route::middlewareGroup('site', [Illuminate\Session\Middleware\StartSession::class]);
                        Route::get('/site', fn (): string => session()->isStarted() ? 'a session' : 'none')->middleware('site');
                    });
                }
            }
            PHP, ['--warm=/site']);

        self::assertStringContainsString('Warm: /site (', (string) file_get_contents($server->log));
        self::assertSame('a session', (new Browser($server->url))->get('/site')->body);
    }

    /**
     * When a page is asked for by two who are let in and by one who is not.
     */
    public function testAControllerWhoseConstructorHasEffectsIsMadeInEachRequest(): void
    {
        $server = $this->serveWith(<<<'PHP'
            final class Part
            {
            }
            final class Back extends Illuminate\Routing\Controller
            {
                public function __construct(Part $part)
                {
                    session()->put('back', url()->previous());
                    $this->middleware('guest');
                }

                public function show(Part $part): string
                {
                    return session('back');
                }
            }
            final class Provider extends Illuminate\Support\ServiceProvider
            {
                public function boot(): void
                {
                    Route::get('/back', [Back::class, 'show'])->middleware('web');
                }
            }
            PHP, ['--warm=/,/back']);

        self::assertStringContainsString('Warm: / /back (', (string) file_get_contents($server->log));
        self::assertSame("$server->url", (new Browser($server->url))->get('/back')->body);
    }

    /**
     * Nothing of the visitors of the warm-up has what this controller and its middleware look at, so all are alike to them.
     */
    public function testAControllerAndItsMiddlewareAreOfEachRequest(): void
    {
        $server = $this->serveWith(<<<'PHP'
            final class Theme implements Illuminate\Routing\Controllers\HasMiddleware
            {
                private readonly string $theme;

                public function __construct(Illuminate\Http\Request $request)
                {
                    $this->theme = $request->header('X-Theme', 'light');
                }

                public static function middleware(): array
                {
                    return request()->hasHeader('X-Gateway') ? [Closed::class] : [];
                }

                public function __invoke(): string
                {
                    return $this->theme;
                }
            }
            final class Closed
            {
                public function handle(): mixed
                {
                    return response('closed', 403);
                }
            }
            final class Provider extends Illuminate\Support\ServiceProvider
            {
                public function boot(): void
                {
                    Illuminate\Support\Facades\Route::get('/theme', Theme::class);
                }
            }
            PHP, ['--warm=/,/theme']);
        $browser = new Browser($server->url);

        self::assertStringContainsString('Warm: / /theme (', (string) file_get_contents($server->log));
        self::assertSame('light', $browser->get('/theme')->body);
        self::assertSame('dark', $browser->get('/theme', ['X-Theme: dark'])->body);
        self::assertSame('closed', $browser->get('/theme', ['X-Gateway: outside'])->body);
    }

    public function testConnectionsOfTheBootKeepNothingCold(): void
    {
        $file = sys_get_temp_dir() . '/weft-' . bin2hex(random_bytes(6)) . '.sqlite';
        touch($file);
        try {
            $server = $this->serveWith(str_replace('FILE', $file, <<<'PHP'
                final class Provider extends Illuminate\Support\ServiceProvider
                {
                    private static array $kept = [];

                    public function boot(): void
                    {
                        config(['database.connections.boot' => ['driver' => 'sqlite', 'database' => 'FILE', 'prefix' => '']]);
                        DB::connection('boot')->select('select 1');
                        self::$kept = [new PDO('sqlite:FILE'), new SQLite3('FILE')];
                        Route::get('/boot', fn (): array => [
                            DB::connection('boot')->select('select 1 as one'), self::$kept[0]->query('select 2')->fetchColumn(),
                        ])->middleware('web');
                    }
                }
                PHP), ['--warm=/,/boot']);
            $body = (new Browser($server->url))->get('/boot')->body;
        } finally {
            unlink($file);
        }

        self::assertStringContainsString('Warm: / /boot (', (string) file_get_contents($server->log));
        self::assertSame('[[{"one":1}],2]', $body);
    }

    public function testStartedInMaintenanceItIsWarmAfterwards(): void
    {
        $down = Example::path() . '/storage/framework/down';
        file_put_contents($down, '{}');
        try {
            $server = $this->serve();
            $browser = new Browser($server->url);
            $status = $browser->get('/')->status;
        } finally {
            unlink($down);
        }

        self::assertMatchesRegularExpression('~^  Warm: / \(\d+ values kept, \d+ put back\)$~m', (string) file_get_contents($server->log));
        self::assertSame(503, $status);
        self::assertSame(200, $browser->get('/')->status);
    }

    public function testOpenBasedirKeepsNothingCold(): void
    {
        $allowed = implode(PATH_SEPARATOR, [dirname(__DIR__, 2), Example::path(), sys_get_temp_dir()]);
        $server = $this->serve(['--workers=1', '-d', "open_basedir=$allowed"]);

        self::assertMatchesRegularExpression('~^  Warm: / \(\d+ values kept, \d+ put back\)$~m', (string) file_get_contents($server->log));
        self::assertSame(200, (new Browser($server->url))->get('/')->status);
    }

    public function testSlowPagesAreGivenTheTimeThatTheDirectiveAllows(): void
    {
        $slow = <<<'PHP'
            final class Provider extends Illuminate\Support\ServiceProvider
            {
                public function boot(): void
                {
                    Route::get('/slow', function (): string {
                        usleep(100_000);

                        return 'slow';
                    });
                }
            }
            PHP;

        self::assertStringContainsString(
            'Cold: it took longer than 1 s. Slow pages? Give it more with -d weft.warm_timeout=2, or name fewer with --warm',
            (string) file_get_contents($this->serveWith($slow, ['--warm=/slow', '-d', 'weft.warm_timeout=1'])->log),
        );
        self::assertStringContainsString('Warm: /slow (', (string) file_get_contents($this->serveWith($slow, ['--warm=/slow'])->log));
    }

    public function testNothingIsSaidWhenNothingWasAskedFor(): void
    {
        foreach (['--warm=off', '--isolation=off'] as $option) {
            self::assertDoesNotMatchRegularExpression('/^  (Warm|Cold)/m', (string) file_get_contents($this->serve(['--workers=1', $option])->log));
        }
    }

    public function testWarmUpLeavesNoTraces(): void
    {
        $storage = Example::path() . '/storage';
        $log = fn (): int => (int) @filesize("$storage/logs/laravel.log");
        $before = $log();
        $server = $this->serve(['--workers=1', '--warm=/,/isolation,/login,/test']);

        self::assertStringContainsString('Warm: ', (string) file_get_contents($server->log));
        self::assertSame([], glob("$storage/framework/sessions/*"));
        clearstatcache();
        self::assertSame($before, $log());
    }

    public function testSessionsAreTheApplicationsOwnAfterwards(): void
    {
        $server = $this->serve(['--workers=1', '--warm=/,/isolation']);
        $browser = new Browser($server->url);
        $browser->get('/isolation?tag=first');

        self::assertSame('first', $browser->get('/isolation?tag=second')->text('previous'));
        self::assertNotSame([], glob(Example::path() . '/storage/framework/sessions/*'));
    }

    /**
     * The example's configuration in a file, with these settings for Weft.
     */
    private static function cachedConfiguration(mixed $settings): string
    {
        $cache = sys_get_temp_dir() . '/weft-configuration-' . bin2hex(random_bytes(6)) . '.php';
        (new Process([PHP_BINARY, 'artisan', 'config:cache'], Example::path(), ['APP_CONFIG_CACHE' => $cache], timeout: 600))->mustRun();
        $configuration = require $cache;
        self::assertIsArray($configuration);
        file_put_contents($cache, '<?php return ' . var_export(['weft' => $settings] + $configuration, true) . ';');

        return $cache;
    }

    /**
     * The example with one more package, whose class Provider is this.
     *
     * @param list<string> $options
     * @param array<string, string> $environment
     */
    private function serveWith(string $classes, array $options = [], array $environment = []): Server
    {
        $cached = [
            'APP_PACKAGES_CACHE' => (string) tempnam(sys_get_temp_dir(), 'weft'),
            'APP_SERVICES_CACHE' => sys_get_temp_dir() . '/weft-services-' . bin2hex(random_bytes(6)) . '.php',
        ];
        file_put_contents($cached['APP_PACKAGES_CACHE'], "<?php\n$classes\nreturn ['weft/tests' => ['providers' => [Provider::class]]];\n");
        try {
            return $this->serve(['--workers=1', ...$options], $cached + $environment);
        } finally {
            array_map(unlink(...), array_filter($cached, is_file(...)));
        }
    }

    /**
     * Caches configuration and routes for as long as a server starts.
     *
     * @param callable(array<string, string>): Server $serve is told where they are
     */
    private function cached(callable $serve): Server
    {
        $cached = ['APP_CONFIG_CACHE' => tempnam(sys_get_temp_dir(), 'weft') . '.php', 'APP_ROUTES_CACHE' => tempnam(sys_get_temp_dir(), 'weft') . '.php'];
        foreach (['config:cache', 'route:cache'] as $command) {
            (new Process([PHP_BINARY, 'artisan', $command], Example::path(), $cached, timeout: 600))->mustRun();
        }
        try {
            return $serve($cached);
        } finally {
            foreach ($cached as $file) {
                @unlink($file);
                @unlink(substr($file, 0, -4));
            }
        }
    }
}
