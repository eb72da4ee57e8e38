<?php

declare(strict_types=1);

namespace Weft\Bridge;

use Closure;
use Illuminate\Auth\AuthManager;
use Illuminate\Auth\SessionGuard;
use Illuminate\Config\Repository;
use Illuminate\Contracts\Session\Session;
use Illuminate\Foundation\Application as Laravel;
use Illuminate\Http\Request;

/**
 * The spares of LaravelGuards. The first guard that a request asks for is lent: who asks again, after forgetGuards(),
 * wants a new one.
 *
 * @internal
 */
final class LaravelSpareGuards
{
    /** @var Closure(): bool whether the configuration of guards is what they were made from */
    private readonly Closure $isConfigured;

    /**
     * @param array<string, array{SessionGuard, Closure}> $spares by name: the guard, and what the container calls for
     *     it when the request changes
     * @param Closure(): bool $isAsBefore whether all that had a say in how the container makes the parts is as it was then
     * @param Closure(SessionGuard, Session, Request): void $give
     */
    public function __construct(
        private readonly Laravel $laravel,
        private readonly LaravelSpares $sessions,
        private readonly LaravelContainer $container,
        Repository $config,
        private readonly array $spares,
        private readonly Closure $isAsBefore,
        private readonly Closure $give,
    ) {
        $this->isConfigured = self::configuration($config);
    }

    /**
     * Whom the manager's table of guards asks for one.
     *
     * @param string $driver the guards' own
     * @param string $provider that of their users
     *
     * @return Closure(string): void
     */
    public function lender(AuthManager $manager, string $driver, string $provider): Closure
    {
        $laravel = $this->laravel;
        $session = $this->session(...);
        $lend = $this->lend(...);

        return Closure::bind(static function (string $name) use ($manager, $laravel, $driver, $provider, $session, $lend): void {
            // the application may make guards, or the providers of their users, in its own way
            if ($manager->app !== $laravel || isset($manager->customCreators[$driver]) || isset($manager->customProviderCreators[$provider])) {
                return;
            }
            $session = $session($name);
            // who has made the session may have asked for a guard as well
            if ($session !== null && $manager->guards === []) {
                $guard = $lend($name, $session);
                if ($guard !== null) {
                    $manager->guards = [$name => $guard];
                }
            }
        }, null, AuthManager::class);
    }

    /**
     * What the guard's session would be; null: the guard can't be lent.
     */
    private function session(string $name): ?Session
    {
        if (!isset($this->spares[$name]) || !$this->isAsBefore()) {
            return null;
        }
        $session = ($this->container->instance)('session.store') ?? $this->sessions->storeOfContainer($this->laravel);
        if ($session === null) {
            $session = $this->laravel->get('session.store');
            // whose maker may be the application's
            if (!$this->isAsBefore()) {
                return null;
            }
        }

        return $session instanceof Session ? $session : null;
    }

    private function lend(string $name, Session $session): ?SessionGuard
    {
        $request = ($this->container->instance)('request');
        if (!$request instanceof Request) {
            return null;
        }
        [$guard, $whenRequestChanges] = $this->spares[$name];
        ($this->container->rebinding)('request', $whenRequestChanges);
        ($this->give)($guard, $session, $request);

        return $guard;
    }

    private function isAsBefore(): bool
    {
        return ($this->isAsBefore)() && ($this->isConfigured)() && !($this->container->isBuildingInContext)();
    }

    /**
     * Tells later whether everything is as now that has a say in how guards are made.
     *
     * @return Closure(): bool
     */
    private static function configuration(Repository $config): Closure
    {
        // which guard is meant when none is named: shouldUse() says so
        $withoutName = static function (mixed $auth): mixed {
            if (is_array($auth) && is_array($auth['defaults'] ?? null)) {
                unset($auth['defaults']['guard']);
            }

            return $auth;
        };

        return Closure::bind(static function () use ($config, $withoutName): Closure {
            $auth = $config->items['auth'] ?? null;
            $hashing = $config->items['hashing'] ?? null;
            $key = $config->items['app']['key'] ?? null;

            return static fn (): bool => ($config->items['hashing'] ?? null) === $hashing && ($config->items['app']['key'] ?? null) === $key &&
                (($config->items['auth'] ?? null) === $auth || $withoutName($config->items['auth'] ?? null) === $withoutName($auth));
        }, null, Repository::class)();
    }
}
