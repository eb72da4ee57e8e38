<?php

declare(strict_types=1);

namespace Weft\Bridge\Laravel;

use Closure;
use Illuminate\Contracts\Auth\Factory;
use Illuminate\Contracts\Auth\StatefulGuard;
use Illuminate\Contracts\Config\Repository;
use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Contracts\Http\Kernel;
use Illuminate\Foundation\Application as Laravel;
use Illuminate\Foundation\Bootstrap\LoadConfiguration;
use Illuminate\Foundation\Bootstrap\SetRequestForConsole;
use Illuminate\Foundation\Exceptions\Handler;
use Illuminate\Http\Request;
use Illuminate\Routing\Events\RouteMatched;
use Illuminate\Routing\Route;
use Illuminate\Routing\Router;
use Weft\Bridge\Broadcasts;
use Weft\Bridge\LogsIn;
use Weft\Bridge\Settings;
use Weft\Bridge\UnusableApplication;
use Weft\Bridge\Warmable;

use function Weft\Http\name_route;

use Weft\Http\UpgradeRefused;
use Weft\Http\WebSocketClosed;

use function Weft\Internal\footprint;
use function Weft\Isolation\enabled;
use function Weft\Isolation\snapshot;
use function Weft\Isolation\stats;
use function Weft\Server\start_time_constant;

/**
 * A Laravel application, as it is. Its HTTP kernel is bootstrapped once, so that all providers are booted;
 * each request then goes the way of public/index.php.
 *
 * @internal
 */
final class Application implements Warmable, LogsIn, Broadcasts
{
    /** Of all slots. A fresh application has some 650 others and 19 for each route, so this is a hundred routes. */
    private const MOST_SLOTS = 0.75;

    private ?Kernel $kernel = null;
    private ?Laravel $laravel = null;
    private ?Broadcasting $broadcasting = null;

    public function __construct(private readonly string $directory)
    {
    }

    public static function isIn(string $directory): bool
    {
        return is_file("$directory/artisan") && is_file("$directory/bootstrap/app.php");
    }

    public function path(): string
    {
        return $this->directory;
    }

    public function workingDirectory(): string
    {
        return is_dir($this->publicDirectory()) ? $this->publicDirectory() : $this->directory;
    }

    public function check(): void
    {
        if (!is_file("$this->directory/vendor/autoload.php")) {
            throw new UnusableApplication("$this->directory has no vendor/. Run: composer install -d $this->directory");
        }
        if ($this->hasCachedConfiguration() || self::isSet(getenv('APP_KEY'))) {
            return;
        }
        $environment = getenv('APP_ENV');
        $file = "$this->directory/.env";
        if (is_string($environment) && is_file("$file.$environment")) {
            $file .= ".$environment";
        }
        if (!is_file($file)) {
            throw new UnusableApplication(
                "$this->directory has no .env. Run: cp .env.example .env && php artisan key:generate (in that directory)",
            );
        }
        if (!is_readable($file)) {
            throw UnusableApplication::forbidden($file, 'read');
        }
        if (preg_match('/^\s*(?:export\s+)?APP_KEY\s*=\s*["\']?[^\s"\'#]/m', (string) file_get_contents($file)) !== 1) {
            throw new UnusableApplication("$file has no APP_KEY. Run: php $this->directory/artisan key:generate");
        }
    }

    public function boot(): void
    {
        // what public/index.php does first; each request gets its own value
        define('LARAVEL_START', microtime(true));
        start_time_constant('LARAVEL_START');
        require "$this->directory/vendor/autoload.php";
        $laravel = require "$this->directory/bootstrap/app.php";
        if (!$laravel instanceof Laravel) {
            throw new UnusableApplication(sprintf(
                '%s/bootstrap/app.php must return a Laravel application; it returned %s.',
                $this->directory,
                get_debug_type($laravel),
            ));
        }
        // Providers may ask for the request and for URLs while they boot. Laravel's own made-up request for the
        // console, made from app.url, stands in until the first real one replaces it.
        $laravel->afterBootstrapping(LoadConfiguration::class, static function (Laravel $laravel): void {
            (new SetRequestForConsole())->bootstrap($laravel);
        });
        // that a client was refused its WebSocket, or has closed it, is no failure: anybody could fill the log
        $laravel->afterResolving(ExceptionHandler::class, static function (mixed $handler) use ($laravel): void {
            // protected in Laravel 8; up to 10 it takes one class
            if ($handler instanceof Handler && version_compare($laravel->version(), '9', '>=')) {
                $handler->ignore(UpgradeRefused::class);
                $handler->ignore(WebSocketClosed::class);
            }
        });
        $broadcasting = new Broadcasting($laravel);
        $laravel->afterBootstrapping(LoadConfiguration::class, $broadcasting->prepare(...));
        $kernel = $laravel->make(Kernel::class);
        $kernel->bootstrap();
        // what fails, or takes too long, has its route's name as well
        $laravel->make(Router::class)->matched(static function (RouteMatched $event): void {
            name_route(self::nameOf($event->route));
        });
        $this->kernel = $kernel;
        $this->laravel = $laravel;
        $this->broadcasting = $broadcasting;
    }

    /**
     * Each request of PHP-FPM and each artisan command boots it.
     */
    public function mayBootTwice(): bool
    {
        return true;
    }

    public function handler(): Closure
    {
        $kernel = $this->kernel;
        if ($kernel === null) {
            throw new UnusableApplication("$this->directory has not booted.");
        }
        $broadcasting = $this->broadcasting?->start();

        return static function () use ($kernel, $broadcasting): void {
            if ($broadcasting !== null && $broadcasting->answers()) {
                return;
            }
            // line by line what public/index.php does; send() ends the response for the client
            $request = Request::capture();
            $response = $kernel->handle($request);
            // once more: the application may have sent requests of its own through its router
            $route = $request->getRouteResolver()();
            if ($route instanceof Route) {
                name_route(self::nameOf($route));
            }
            $response->send();
            $kernel->terminate($request, $response);
        };
    }

    /**
     * route:cache gives those without a name one by chance.
     */
    private static function nameOf(Route $route): string
    {
        $name = (string) $route->getName();

        return $name === '' || str_starts_with($name, 'generated::') ? $route->uri() : $name;
    }

    public function describe(): string
    {
        return 'Laravel ' . Laravel::VERSION . " ($this->directory)";
    }

    public function broadcasting(): ?string
    {
        return $this->broadcasting?->describe();
    }

    /**
     * Laravel keeps an object for each route that doesn't come from its cache.
     */
    public function advice(): ?string
    {
        if ($this->booted()->routesAreCached()) {
            return null;
        }
        if (!enabled()) {
            snapshot();
        }
        $all = stats()['slots'];
        $ofRoutes = array_sum(array_filter(footprint()['slotsByClass'], static fn (string $class): bool => is_a($class, Route::class, true), ARRAY_FILTER_USE_KEY));
        if ($ofRoutes <= self::MOST_SLOTS * $all) {
            return null;
        }

        return "Most of what a switch between requests compares are routes ($ofRoutes of $all slots). Run: php artisan route:cache";
    }

    public function safeguards(): Safeguards
    {
        return new Safeguards($this->booted());
    }

    public function settings(): Settings
    {
        // Laravel's own configuration, so that config:cache works for it
        return Settings::ofWarmable($this->booted()->configPath('weft.php'), $this->booted()->make(Repository::class)->get('weft'), broadcasts: true);
    }

    public function warmUpHooks(): WarmUpHooks
    {
        return new WarmUpHooks($this->booted(), $this->safeguards(), $this->settings()->pages);
    }

    /**
     * As Auth::onceUsingId() does: for this request, without a session.
     */
    public function logIn(string $user): void
    {
        [$name, $key] = str_contains($user, ':') ? explode(':', $user, 2) : [null, $user];
        $manager = $this->booted()->make(Factory::class);
        $guard = $manager->guard($name);
        if (!$guard instanceof StatefulGuard) {
            throw new UnusableApplication("--as=$user: its guard logs nobody in. Name another one, as --as=web:$key, or send what it asks for with --header.");
        }
        if ($guard->onceUsingId($key) === false) {
            throw new UnusableApplication("--as=$user: there is no such user.");
        }
        if ($name !== null) {
            $manager->shouldUse($name);
        }
    }

    /**
     * GET routes without parameters, on any host.
     */
    public function pages(): array
    {
        $pages = [];
        foreach ($this->booted()->make(Router::class)->getRoutes()->getRoutes() as $route) {
            if (in_array('GET', $route->methods(), true) && $route->parameterNames() === [] && $route->getDomain() === null) {
                $pages[] = '/' . ltrim($route->uri(), '/');
            }
        }

        return array_values(array_unique($pages));
    }

    private function booted(): Laravel
    {
        return $this->laravel ?? throw new UnusableApplication("$this->directory has not booted.");
    }

    public function publicDirectory(): string
    {
        return "$this->directory/public";
    }

    private function hasCachedConfiguration(): bool
    {
        return is_file("$this->directory/bootstrap/cache/config.php");
    }

    private static function isSet(string|false $value): bool
    {
        return $value !== false && $value !== '';
    }
}
