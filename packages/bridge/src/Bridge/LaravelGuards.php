<?php

declare(strict_types=1);

namespace Weft\Bridge;

use Closure;
use Illuminate\Auth\AuthManager;
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

use function Weft\Isolation\end_demand;
use function Weft\Isolation\on_demand;

/**
 * Guards of sessions that lie ready in the base. AuthManager::guard() looks into its table first, and finds the one that
 * it wants there, with the request and its session, if what Laravel would make now is the same. Else Laravel makes it.
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

    private ?AuthManager $manager = null;

    public function __construct(private readonly Laravel $laravel, private readonly LaravelSpares $sessions)
    {
        // loaded later, they would leave a trace in the application's autoloader
        foreach ([LaravelContainer::class, LaravelSpareGuards::class] as $class) {
            class_exists($class);
        }
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
        $manager = ($container->instance)('auth');
        if ($this->laravel::class !== Laravel::class || !$manager instanceof AuthManager || $manager::class !== AuthManager::class ||
            count($parts) !== count(self::PARTS) ||
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
        $lender = new LaravelSpareGuards($this->laravel, $this->sessions, $container, $config, $spares, $container->watch(), self::giver());
        if (!on_demand($manager, 'guards', 'guard', $lender->lender($manager, self::DRIVER, self::PROVIDER))) {
            return false;
        }
        $this->manager = $manager;

        return true;
    }

    public function drop(): void
    {
        if ($this->manager !== null) {
            end_demand($this->manager);
            $this->manager = null;
        }
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
}
