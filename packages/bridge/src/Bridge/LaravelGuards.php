<?php

declare(strict_types=1);

namespace Weft\Bridge;

use Closure;
use Illuminate\Auth\AuthManager;
use Illuminate\Auth\AuthServiceProvider;
use Illuminate\Auth\EloquentUserProvider;
use Illuminate\Auth\SessionGuard;
use Illuminate\Config\Repository;
use Illuminate\Contracts\Session\Session;
use Illuminate\Foundation\Application as Laravel;
use Illuminate\Http\Request;
use Illuminate\Session\NullSessionHandler;
use Illuminate\Session\Store;
use Illuminate\Support\Timebox;
use Throwable;

/**
 * Guards of sessions that lie ready in the base. The manager still makes a guard when a request asks for it; but what
 * the request gets is the one that lies ready, with the request and its session, if what Laravel would make now is the
 * same. Else Laravel makes it.
 *
 * The manager asks here by the way that it has for guards of the application's own, which the application may take
 * from us at any time.
 *
 * @internal
 */
final class LaravelGuards
{
    private const DRIVER = 'session';
    private const PROVIDER = 'eloquent';
    /** What guards are made of, besides the request and its session. */
    private const PARTS = ['config', 'hash', 'cookie', 'events'];
    private const NAMES = [...self::PARTS, 'session.store', 'request'];

    private ?LaravelSpareGuards $spares = null;

    public function __construct(private readonly Laravel $laravel, private readonly LaravelSpares $sessions)
    {
        // loaded later, they would leave a trace in the application's autoloader
        foreach ([LaravelContainer::class, LaravelSpareGuards::class] as $class) {
            class_exists($class);
        }
    }

    /**
     * In the base: lets the manager ask here first. False: it is left as it is, since it is not Laravel's own, or the
     * application has its own way to make such guards.
     */
    public function prepare(): bool
    {
        if ($this->laravel::class !== Laravel::class) {
            return false;
        }
        if ($this->laravel->resolved('auth')) {
            return $this->askHere($this->laravel->get('auth'));
        }
        $services = new LaravelServices($this->laravel);
        if (!$services->isMadeBy('auth', AuthServiceProvider::class)) {
            return false;
        }
        $make = $services->maker('auth');
        $this->laravel->singleton('auth', function (Laravel $laravel, array $parameters = []) use ($make): mixed {
            $manager = $make($laravel, $parameters);
            $this->askHere($manager);

            return $manager;
        });

        return true;
    }

    /**
     * In the base, once it is warm: makes what shall lie ready. False: nothing does, since no page has asked for a
     * guard, or because none is Laravel's own.
     */
    public function make(): bool
    {
        $container = new LaravelContainer($this->laravel, [], self::PARTS, self::NAMES);
        $parts = array_values(array_filter(array_map($container->instance, self::PARTS)));
        $config = ($container->instance)('config');
        if (!($container->instance)('auth') instanceof AuthManager || count($parts) !== count(self::PARTS) ||
            !$config instanceof Repository || $config::class !== Repository::class ||
            !(new LaravelServices($this->laravel))->areTakenUnseen()) {
            return false;
        }
        $spares = [];
        foreach (self::configured($config->all()) as $name => $settings) {
            try {
                $spare = $this->makeOne($container, $name, $settings, $parts);
            } catch (Throwable) {
                // a request that asks for it shall see why
                $spare = null;
            }
            if ($spare !== null) {
                $spares[$name] = $spare;
            }
        }
        if ($spares === []) {
            return false;
        }
        $this->spares = new LaravelSpareGuards($this->laravel, $this->sessions, $container, $config, $spares, $container->watch(), self::giver(), self::hasProvider());

        return true;
    }

    public function drop(): void
    {
        $this->spares = null;
    }

    private function askHere(mixed $manager): bool
    {
        if (!$manager instanceof AuthManager || $manager::class !== AuthManager::class) {
            return false;
        }
        $make = fn (mixed $laravel, mixed $name, array $settings): mixed => $this->spares?->lend($manager, $laravel, $name)
            ?? $manager->createSessionDriver($name, $settings);

        $driver = self::DRIVER;

        return Closure::bind(static function () use ($manager, $driver, $make): bool {
            if (isset($manager->customCreators[$driver])) {
                return false;
            }
            $manager->customCreators[$driver] = $make;

            return true;
        }, null, AuthManager::class)();
    }

    /**
     * The guards that use the session and Eloquent: to make others may take a connection.
     *
     * @param array<string, mixed> $configuration
     * @return array<string, array<mixed>> their settings by name
     */
    private static function configured(array $configuration): array
    {
        $auth = is_array($configuration['auth'] ?? null) ? $configuration['auth'] : [];
        $providers = is_array($auth['providers'] ?? null) ? $auth['providers'] : [];
        $defaults = is_array($auth['defaults'] ?? null) ? $auth['defaults'] : [];
        $guards = [];
        foreach (is_array($auth['guards'] ?? null) ? $auth['guards'] : [] as $name => $settings) {
            if (!is_string($name) || !is_array($settings) || ($settings['driver'] ?? null) !== self::DRIVER) {
                continue;
            }
            $provider = $settings['provider'] ?? $defaults['provider'] ?? null;
            $provider = is_string($provider) ? $providers[$provider] ?? null : null;
            if (is_array($provider) && ($provider['driver'] ?? null) === self::PROVIDER) {
                $guards[$name] = $settings;
            }
        }

        return $guards;
    }

    /**
     * @param array<mixed> $settings
     * @param list<object> $parts
     * @return array{SessionGuard, Closure}|null the guard, and what the container calls for it when the request changes
     */
    private function makeOne(LaravelContainer $container, string $name, array $settings, array $parts): ?array
    {
        // whatever the application has: who gets the guard gives it the session
        $store = new Store('weft', new NullSessionHandler());
        [$guard, $callbacks] = $container->undone(function () use ($container, $store, $name, $settings): array {
            ($container->put)('session.store', $store);
            $before = ($container->rebound)('request');
            // a manager of its own: what it makes is for nobody yet
            $guard = (new AuthManager($this->laravel))->createSessionDriver($name, $settings);

            return [$guard, array_slice(($container->rebound)('request'), count($before))];
        });
        $provider = $guard->getProvider();
        $timebox = $guard->getTimebox();
        if ($guard::class !== SessionGuard::class || $provider::class !== EloquentUserProvider::class || $timebox::class !== Timebox::class ||
            count($callbacks) !== 1 || !$callbacks[0] instanceof Closure) {
            return null;
        }
        self::giver()($guard, null, null);

        return LaravelContainer::holdsOnly($provider, $parts) && LaravelContainer::holdsOnly($timebox, []) &&
            LaravelContainer::holdsOnly($guard, [...$parts, $provider, $timebox]) ? [$guard, $callbacks[0]] : null;
    }

    /**
     * @return Closure(SessionGuard, ?Session, ?Request): void
     */
    private static function giver(): Closure
    {
        return Closure::bind(static function (SessionGuard $guard, ?Session $session, ?Request $request): void {
            $guard->session = $session;
            $guard->request = $request;
        }, null, SessionGuard::class);
    }

    /**
     * @return Closure(AuthManager): bool whether the application makes the users' providers in its own way
     */
    private static function hasProvider(): Closure
    {
        $provider = self::PROVIDER;

        return Closure::bind(
            static fn (AuthManager $manager): bool => isset($manager->customProviderCreators[$provider]),
            null,
            AuthManager::class,
        );
    }
}
