<?php

declare(strict_types=1);

namespace Weft\Bridge\Laravel;

use Illuminate\Auth\AuthManager;
use Illuminate\Contracts\Auth\Authenticatable;
use Illuminate\Contracts\Config\Repository;
use Illuminate\Contracts\Foundation\MaintenanceMode;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Foundation\Application as Laravel;
use Illuminate\Http\Request;
use Illuminate\Routing\Route;
use Illuminate\Routing\Router;
use Illuminate\Routing\UrlGenerator;
use Illuminate\Session\Middleware\StartSession;
use Throwable;
use Weft\Bridge\DryRun\Visitor;
use Weft\Bridge\WarmUp\Hooks;

use function Weft\Isolation\run;

/**
 * @internal
 */
final class WarmUpHooks implements Hooks
{
    private const OTHER_PAGE = '/weft-warm-up-other-page';

    private readonly bool $redisAtBoot;
    private readonly mixed $assetUrlAtBoot;
    /** @var array<mixed> service => provider */
    private readonly array $deferredAtBoot;
    private readonly Models $models;

    /**
     * @param list<string> $pages
     */
    public function __construct(
        private readonly Laravel $laravel,
        private readonly Safeguards $safeguards,
        private readonly array $pages,
    ) {
        $this->redisAtBoot = $laravel->resolved('redis');
        $this->assetUrlAtBoot = $this->assetUrl();
        $this->deferredAtBoot = $laravel->getDeferredServices();
        $this->models = new Models();
        // loaded in a request, it would leave a trace in the application's autoloader
        class_exists(NoMaintenance::class);
    }

    public function pages(): array
    {
        return $this->pages;
    }

    public function otherPage(): string
    {
        return self::OTHER_PAGE;
    }

    public function before(Visitor $visitor, string $page): void
    {
        $this->safeguards->install();
        $this->safeguards->noteFailures();
        $this->mark($visitor);
        if ($this->laravel->isDownForMaintenance()) {
            // it won't be for ever, and who starts a server then wants it warm afterwards
            $this->laravel->instance(MaintenanceMode::class, new NoMaintenance());
        }
        if ($page === self::OTHER_PAGE) {
            $router = $this->laravel->make(Router::class);
            // without that group, less is known of what is common to pages, and less is kept
            $router->get(self::OTHER_PAGE, static fn (): string => 'nothing')->middleware($router->hasMiddlewareGroup('web') ? ['web'] : []);
        }
        if ($visitor->member) {
            $this->logIn($visitor);
        }
    }

    public function isOnlyPath(string $page): bool
    {
        $route = $this->laravel->make(Request::class)->getRouteResolver()();

        return $route instanceof Route && $route->parameterNames() === [] && '/' . ltrim($route->uri(), '/') === $page;
    }

    public function forbidsLearning(): ?string
    {
        return null;
    }

    public function tidy(): void
    {
        // Laravel has no means of its own
    }

    public function mayPrime(): bool
    {
        return $this->assetUrl() === $this->assetUrlAtBoot;
    }

    /**
     * Services whose deferred provider it has needed.
     */
    public function loadedLate(): array
    {
        $late = array_diff_key($this->deferredAtBoot, $this->laravel->getDeferredServices());

        return array_map(strval(...), array_keys(array_filter($late, $this->isLoaded(...))));
    }

    public function prime(array $pages, array $late): bool
    {
        // first, since what the others make may need them
        $made = $this->primeProviders($late);
        $made = $this->primeUrlGenerator() || $made;
        $made = $this->primeRoutes($pages) || $made;

        return $this->models->boot() || $made;
    }

    public function excluded(): array
    {
        return [
            // what a request sets there is its own, however equal it looks
            'Illuminate\Config\Repository::items',
            'Illuminate\Routing\Router::current',
            'Illuminate\Routing\Router::currentRequest',
            // made for each request, from it if the application likes; Octane has Laravel forget them in between, too
            'Illuminate\Routing\Route::controller',
            'Illuminate\Routing\Route::computedMiddleware',
            // rows, which change; and what says nothing of one whose class has not been booted yet
            Model::class,
            // whether a model has been booted: its boot may look at who asks, and add a scope for some only; those
            // whose boot can't are booted by prime()
            Model::class . '::booting',
            Model::class . '::booted',
            // toArray() empties the second when it fills the first, so one without the other misleads
            Model::class . '::mutatorCache',
            Model::class . '::getAttributeMutatorCache',
            // what the safeguards have put in the place of the real ones
            'Illuminate\Broadcasting\Broadcasters\NullBroadcaster',
            'Illuminate\Cache\ArrayStore',
            'Illuminate\Mail\Transport\ArrayTransport',
            'Illuminate\Queue\NullQueue',
            'Illuminate\Session\ArraySessionHandler',
            'Illuminate\Session\NullSessionHandler',
            'Monolog\Handler\NullHandler',
            Safeguards::class,
            NoMaintenance::class,
            // the safeguards have told it to refuse every call
            'Illuminate\Http\Client\Factory',
            // holds the session manager that the request has by then, which a middleware before it may have replaced
            StartSession::class,
            // connections, and the request
            'Illuminate\Database\Connection',
            'Illuminate\Redis\Connections\Connection',
            'Symfony\Component\HttpFoundation\Request',
            'Symfony\Component\HttpFoundation\Response',
        ];
    }

    public function keepsParts(): bool
    {
        return true;
    }

    public function notes(): array
    {
        // that something has been made under this name; a service that is kept makes its parts no more, and another
        // page does
        return ['Illuminate\Container\Container::resolved'];
    }

    private function isLoaded(mixed $provider): bool
    {
        return is_string($provider) && $this->laravel->providerIsLoaded($provider);
    }

    /**
     * Deferred providers that the pages need. What such a provider registers is of no use in part, and some of it can't be
     * kept: a closure that each request makes anew. Each artisan command has Laravel load all of them at boot, so they
     * bear it. One that fails without a request is left to requests.
     *
     * @param list<string> $services
     */
    private function primeProviders(array $services): bool
    {
        $made = false;
        foreach ($services as $service) {
            $failure = null;
            run(function () use ($service, &$failure): void {
                try {
                    $this->laravel->loadDeferredProvider($service);
                } catch (Throwable $failure) {
                }
            });
            if ($failure === null) {
                $this->laravel->loadDeferredProvider($service);
                $made = true;
            }
        }

        return $made;
    }

    /**
     * The URL generator. It is told of each new request, and a provider that calls URL::forceScheme() makes it at boot
     * too. Made in a request it would be put back each time for the request it holds; and who needs it needs it early.
     */
    private function primeUrlGenerator(): bool
    {
        if ($this->laravel->resolved('url') || !$this->laravel->bound('request') || !$this->hasLaravelsUrlGenerator()) {
            return false;
        }
        $this->laravel->make('url');

        return true;
    }

    /**
     * The routes of these pages. When routes are cached, Laravel makes them by name, once in a process; without the cache
     * they are there from the boot. Made in a request they would be put back each time, for the parameters that it writes
     * into them; made here they can keep the rest, as their pattern.
     *
     * @param list<string> $pages
     */
    private function primeRoutes(array $pages): bool
    {
        if (!$this->laravel->routesAreCached()) {
            return false;
        }
        $router = $this->laravel->make(Router::class);
        $names = [];
        run(static function () use ($router, $pages, &$names): void {
            foreach ($pages as $page) {
                try {
                    $names[] = $router->getRoutes()->match(Request::create($page))->getName();
                } catch (Throwable) {
                    // no route, or another one for each host
                }
            }
        });
        $names = array_filter($names, is_string(...));
        foreach ($names as $name) {
            $router->getRoutes()->getByName($name);
        }

        return $names !== [];
    }

    /**
     * Looks at one that is made in a domain of its own, where it leaves nothing.
     */
    private function hasLaravelsUrlGenerator(): bool
    {
        $class = null;
        run(function () use (&$class): void {
            $class = $this->laravel->bound('url') ? get_debug_type($this->laravel->make('url')) : null;
        });

        return $class === UrlGenerator::class;
    }

    private function assetUrl(): mixed
    {
        return $this->laravel->make(Repository::class)->get('app.asset_url');
    }

    /**
     * Makes the safeguards' own settings differ from visitor to visitor, so that whatever is made of them does too.
     */
    private function mark(Visitor $visitor): void
    {
        $config = $this->laravel->make(Repository::class);
        foreach (['cache.stores', 'mail.mailers', 'queue.connections', 'broadcasting.connections', 'logging.channels'] as $key) {
            $configured = $config->get($key);
            foreach (is_array($configured) ? $configured : [] as $name => $settings) {
                if (is_array($settings)) {
                    $config->set("$key.$name.weft", $visitor->name);
                }
            }
        }
        if ($visitor->name !== Visitor::first()->name) {
            $config->set('session.driver', 'null');
        }
        // nobody knows what is behind it: asking for a connection fails
        $config->set('database.redis.client', "none while warming ($visitor->name)");
        if ($this->redisAtBoot) {
            $this->laravel->forgetInstance('redis');
        }
    }

    /**
     * A user that exists nowhere, with the guard that the application uses by default.
     */
    private function logIn(Visitor $visitor): void
    {
        $config = $this->laravel->make(Repository::class);
        $guard = $this->laravel->make(AuthManager::class)->guard();
        $model = $config->get('auth.providers.users.model');
        $user = is_string($model) && class_exists($model) ? new $model() : null;
        if (!$user instanceof Model || !$user instanceof Authenticatable) {
            return;
        }
        $user->forceFill([
            $user->getAuthIdentifierName() => 1_900_000_000 + crc32($visitor->name) % 1_000_000,
            'name' => "Weft $visitor->name",
            'email' => 'weft-' . md5($visitor->name) . '@weft.test',
        ]);
        $user->exists = true;
        $guard->setUser($user);
    }
}
