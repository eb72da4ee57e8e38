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
 * The spares of LaravelGuards. Each is lent once in a request: who asks again, after forgetGuards(), wants a new one.
 *
 * @internal
 */
final class LaravelSpareGuards
{
    /** @var array<string, true> */
    private array $lent = [];
    /** @var array<string, mixed> the configuration they were made from */
    private readonly array $configuration;

    /**
     * @param array<string, array{SessionGuard, Closure}> $spares by name: the guard, and what the container calls for
     *     it when the request changes
     * @param Closure(): bool $isAsBefore whether all that had a say in how the container makes the parts is as it was then
     * @param Closure(SessionGuard, Session, Request): void $give
     * @param Closure(AuthManager): bool $hasOwnProvider
     */
    public function __construct(
        private readonly Laravel $laravel,
        private readonly LaravelSpares $sessions,
        private readonly LaravelContainer $container,
        private readonly Repository $config,
        private readonly array $spares,
        private readonly Closure $isAsBefore,
        private readonly Closure $give,
        private readonly Closure $hasOwnProvider,
    ) {
        $this->configuration = self::configuration($config);
    }

    public function lend(AuthManager $manager, mixed $laravel, mixed $name): ?SessionGuard
    {
        if (!is_string($name) || !isset($this->spares[$name]) || isset($this->lent[$name]) || $laravel !== $this->laravel) {
            return null;
        }
        [$guard, $whenRequestChanges] = $this->spares[$name];
        if (!$this->isAsBefore($manager)) {
            return null;
        }
        $session = ($this->container->instance)('session.store') ?? $this->sessions->storeOfContainer($this->laravel);
        if ($session === null) {
            $session = $this->laravel->get('session.store');
            // whose maker may be the application's
            if (isset($this->lent[$name]) || !$this->isAsBefore($manager)) {
                return null;
            }
        }
        $request = ($this->container->instance)('request');
        if (!$session instanceof Session || !$request instanceof Request) {
            return null;
        }
        $this->lent[$name] = true;
        ($this->container->rebinding)('request', $whenRequestChanges);
        ($this->give)($guard, $session, $request);

        return $guard;
    }

    private function isAsBefore(AuthManager $manager): bool
    {
        return ($this->isAsBefore)() && self::configuration($this->config) === $this->configuration &&
            !($this->container->isBuildingInContext)() && !($this->hasOwnProvider)($manager);
    }

    /**
     * What of the configuration has a say in how guards are made.
     *
     * @return array<string, mixed>
     */
    private static function configuration(Repository $config): array
    {
        $all = $config->all();
        $auth = $all['auth'] ?? null;
        if (is_array($auth) && is_array($auth['defaults'] ?? null)) {
            // which guard is meant when none is named: shouldUse() says so
            unset($auth['defaults']['guard']);
        }

        return ['auth' => $auth, 'hashing' => $all['hashing'] ?? null, 'key' => is_array($all['app'] ?? null) ? $all['app']['key'] ?? null : null];
    }
}
