<?php

declare(strict_types=1);

namespace Weft\Bridge;

use Illuminate\Config\Repository;
use Illuminate\Foundation\Application as Laravel;
use Illuminate\Routing\Redirector;
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

    /**
     * @param array<string, Store> $stores by the driver's name
     * @param array<string, array<mixed>> $configurations what each store was made from
     * @param list<mixed> $circumstances what had a say in how the spares were made
     */
    public function __construct(
        private readonly Laravel $laravel,
        private readonly LaravelContainer $container,
        private readonly Repository $config,
        private readonly array $stores,
        private readonly array $configurations,
        private readonly Redirector $redirector,
        private readonly ?object $responses,
        private readonly ?object $view,
        private readonly array $circumstances,
    ) {
    }

    public function store(Laravel $laravel): ?Store
    {
        return $this->isAsBefore($laravel) ? $this->lendStore() : null;
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
        return $laravel === $this->laravel && ($this->container->circumstances)() === $this->circumstances;
    }

    private function lendStore(): ?Store
    {
        $manager = $this->storeIsLent ? null : ($this->container->instance)('session') ?? $this->laravel->get('session');
        $configuration = $this->config->all()['session'] ?? null;
        $driver = is_array($configuration) ? $configuration['driver'] ?? null : null;
        if (!$manager instanceof SessionManager || !is_string($driver) || !isset($this->stores[$driver]) ||
            $configuration !== $this->configurations[$driver] || !($this->container->lend)($manager, $driver, $this->stores[$driver])) {
            return null;
        }
        $this->storeIsLent = true;

        return $this->stores[$driver];
    }

    private function lendRedirector(): ?Redirector
    {
        if ($this->redirectorIsLent) {
            return null;
        }
        $store = ($this->container->instance)('session.store');
        if ($store === null) {
            $store = $this->lendStore();
            if ($store === null) {
                return null;
            }
            ($this->container->put)('session.store', $store);
        }
        if (!$store instanceof Store) {
            return null;
        }
        $this->redirectorIsLent = true;
        $this->redirector->setSession($store);

        return $this->redirector;
    }
}
