<?php

declare(strict_types=1);

namespace Weft\Bridge;

use Closure;
use Illuminate\Config\Repository;
use Illuminate\Foundation\Application as Laravel;
use Illuminate\Routing\Redirector;
use Illuminate\Session\Middleware\StartSession;
use Illuminate\Session\SessionManager;
use Illuminate\Session\Store;

/**
 * The spares of LaravelSpares. Each is lent once in a request: who asks again, after forgetInstance(), wants a new one.
 * As all objects of the base they are as they were made when the next request begins.
 *
 * @internal
 */
final class LaravelSpareSession
{
    private bool $storeIsLent = false;
    private bool $redirectorIsLent = false;
    private bool $responsesAreLent = false;
    /** @var Closure(): void|null */
    private ?Closure $takeDoorAway = null;

    /**
     * @param array<string, Store> $stores by the driver's name
     * @param array<string, array<mixed>> $configurations what each store was made from
     * @param Closure(): bool $isAsBefore whether all that had a say in how the spares were made is as it was then
     */
    public function __construct(
        private readonly Laravel $laravel,
        private readonly LaravelContainer $container,
        private readonly LaravelSessions $sessions,
        private readonly Repository $config,
        private readonly array $stores,
        private readonly array $configurations,
        private readonly Redirector $redirector,
        private readonly ?object $responses,
        private readonly ?object $view,
        private readonly Closure $isAsBefore,
    ) {
    }

    /**
     * In the base: has the middleware that starts sessions ask here first, if it would ask the manager that all others
     * do, and that one has no driver yet.
     */
    public function hangDoor(): void
    {
        $middleware = ($this->container->instance)(StartSession::class);
        $manager = ($this->container->instance)('session');
        if ($middleware === null || $middleware::class !== StartSession::class || !$manager instanceof SessionManager ||
            ($this->sessions->asked)($middleware) !== $manager || !($this->sessions->isPlain)($manager)) {
            return;
        }
        ($this->sessions->ask)($middleware, new LaravelSessionDoor($this->laravel, function (?string $driver) use ($middleware, $manager): mixed {
            $isAsBefore = $this->isAsBefore($this->laravel) && ($this->container->instance)('session') === $manager;
            // Laravel would have made the middleware just now, with the manager that the request has
            $asked = $isAsBefore ? $manager : $this->laravel->make(SessionManager::class);
            ($this->sessions->ask)($middleware, $asked);

            return ($isAsBefore && $driver === null ? $this->lendStore() : null) ?? $asked->driver($driver);
        }));
        $this->takeDoorAway = fn () => ($this->sessions->ask)($middleware, $manager);
    }

    public function takeDoorAway(): void
    {
        if ($this->takeDoorAway !== null) {
            ($this->takeDoorAway)();
        }
    }

    public function store(Laravel $laravel): ?Store
    {
        return $this->isAsBefore($laravel) ? $this->lendStore() : null;
    }

    /**
     * As if the container were asked for it; null: it must be.
     */
    public function storeOfContainer(Laravel $laravel): ?Store
    {
        return $this->isAsBefore($laravel) ? $this->service() : null;
    }

    public function redirector(Laravel $laravel): ?Redirector
    {
        return $this->isAsBefore($laravel) ? $this->lendRedirector() : null;
    }

    public function responses(Laravel $laravel): ?object
    {
        if ($this->responsesAreLent || $this->responses === null || !$this->isAsBefore($laravel) ||
            ($this->container->instance)('view') !== $this->view) {
            return null;
        }
        $redirector = ($this->container->instance)('redirect');
        if ($redirector === null) {
            $redirector = $this->lendRedirector();
            if ($redirector === null) {
                return null;
            }
            ($this->container->put)('redirect', $redirector);
        }
        if ($redirector !== $this->redirector) {
            return null;
        }
        $this->responsesAreLent = true;

        return $this->responses;
    }

    private function isAsBefore(Laravel $laravel): bool
    {
        return $laravel === $this->laravel && ($this->isAsBefore)();
    }

    /**
     * The manager's driver. It has been made when a middleware has started the session.
     */
    private function lendStore(): ?Store
    {
        $manager = ($this->container->instance)('session') ?? $this->laravel->get('session');
        $configuration = $this->config->all()['session'] ?? null;
        $driver = is_array($configuration) ? $configuration['driver'] ?? null : null;
        if (!$manager instanceof SessionManager || !is_string($driver) || !($this->sessions->isPlain)($manager)) {
            return null;
        }
        $made = ($this->sessions->driver)($manager, $driver);
        if ($made !== null) {
            return $made instanceof Store ? $made : null;
        }
        if ($this->storeIsLent || !isset($this->stores[$driver]) || $configuration !== $this->configurations[$driver] ||
            !($this->sessions->lend)($manager, $driver, $this->stores[$driver])) {
            return null;
        }
        $this->storeIsLent = true;

        return $this->stores[$driver];
    }

    /**
     * The store that the container gives to everybody.
     */
    private function service(): ?Store
    {
        $store = ($this->container->instance)('session.store');
        if ($store === null) {
            $store = $this->lendStore();
            if ($store !== null) {
                ($this->container->put)('session.store', $store);
            }
        }

        return $store instanceof Store ? $store : null;
    }

    private function lendRedirector(): ?Redirector
    {
        if ($this->redirectorIsLent) {
            return null;
        }
        $store = $this->service();
        if ($store === null) {
            return null;
        }
        $this->redirectorIsLent = true;
        $this->redirector->setSession($store);

        return $this->redirector;
    }
}
