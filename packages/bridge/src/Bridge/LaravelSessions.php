<?php

declare(strict_types=1);

namespace Weft\Bridge;

use Closure;
use Illuminate\Config\Repository;
use Illuminate\Foundation\Application as Laravel;
use Illuminate\Session\Middleware\StartSession;
use Illuminate\Session\SessionManager;
use Illuminate\Session\Store;
use ReflectionClass;
use ReflectionMethod;

/**
 * What spares need of Laravel's session manager, and of the middleware that asks it first, whose properties are
 * protected.
 *
 * @internal
 */
final class LaravelSessions
{
    /** @var Closure(SessionManager): bool it is Laravel's own, with the boot's configuration */
    public readonly Closure $isPlain;
    /** @var Closure(SessionManager, string): ?object the driver that has been made; null: not yet */
    public readonly Closure $driver;
    /** @var Closure(SessionManager, string, Store): bool lets this be the driver; false: the manager has its own way */
    public readonly Closure $lend;
    /** @var Closure(StartSession): mixed whom the middleware asks */
    public readonly Closure $asked;
    /** @var Closure(StartSession, SessionManager): void whom it shall ask */
    public readonly Closure $ask;

    public function __construct(Laravel $laravel, Repository $config)
    {
        $this->isPlain = Closure::bind(
            static fn (SessionManager $manager): bool => $manager::class === SessionManager::class &&
                $manager->container === $laravel && $manager->config === $config,
            null,
            SessionManager::class,
        );
        $this->driver = Closure::bind(
            static fn (SessionManager $manager, string $driver): ?object => $manager->drivers[$driver] ?? null,
            null,
            SessionManager::class,
        );
        $this->lend = Closure::bind(static function (SessionManager $manager, string $driver, Store $store): bool {
            if (isset($manager->customCreators[$driver])) {
                return false;
            }
            // as the constructor does, so that everybody has an id of his own
            $store->setId(null);
            $manager->drivers[$driver] = $store;

            return true;
        }, null, SessionManager::class);
        $this->asked = Closure::bind(static fn (StartSession $middleware): mixed => $middleware->manager ?? null, null, StartSession::class);
        $this->ask = Closure::bind(static function (StartSession $middleware, SessionManager $manager): void {
            $middleware->manager = $manager;
        }, null, StartSession::class);
    }

    /**
     * A class of ours may extend the manager: with a Laravel that declares its methods otherwise, PHP would end there.
     */
    public static function canBeStoodInFor(): bool
    {
        $driver = new ReflectionMethod(SessionManager::class, 'driver');

        return !$driver->hasReturnType() && !$driver->isFinal() && !(new ReflectionClass(SessionManager::class))->isFinal();
    }

    /**
     * Of a store that nobody has: should anybody come to have it all the same, it has no id that others know.
     */
    public static function forgetId(Store $store): void
    {
        Closure::bind(static function () use ($store): void {
            $store->id = null;
        }, null, Store::class)();
    }
}
