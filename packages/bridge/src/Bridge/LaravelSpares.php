<?php

declare(strict_types=1);

namespace Weft\Bridge;

use Illuminate\Config\Repository;
use Illuminate\Contracts\Routing\ResponseFactory as ResponseFactoryContract;
use Illuminate\Contracts\View\Factory as ViewFactory;
use Illuminate\Filesystem\Filesystem;
use Illuminate\Filesystem\FilesystemServiceProvider;
use Illuminate\Foundation\Application as Laravel;
use Illuminate\Routing\Redirector;
use Illuminate\Routing\ResponseFactory;
use Illuminate\Routing\RoutingServiceProvider;
use Illuminate\Session\ArraySessionHandler;
use Illuminate\Session\FileSessionHandler;
use Illuminate\Session\NullSessionHandler;
use Illuminate\Session\SessionManager;
use Illuminate\Session\SessionServiceProvider;
use Illuminate\Session\Store;

/**
 * A session store, a redirector and a response factory that lie ready in the base. The container still makes these
 * services when a request asks for them, at the moment when Laravel would. But what the request gets is the one that
 * lies ready, with a new session id, if what Laravel would make now is the same. Else Laravel makes it.
 *
 * @internal
 */
final class LaravelSpares
{
    private const MAKERS = [
        'files' => [Filesystem::class, FilesystemServiceProvider::class],
        'session' => [SessionManager::class, SessionServiceProvider::class],
        'session.store' => [Store::class, SessionServiceProvider::class],
        'redirect' => [Redirector::class, RoutingServiceProvider::class],
        ResponseFactoryContract::class => [ResponseFactory::class, RoutingServiceProvider::class],
    ];
    /** What they are made of, and must be there. */
    private const PARTS = ['config', 'files', 'url'];
    private const OTHER_NAMES = ['view', ViewFactory::class];
    /** Sessions that need no connection, no cookies and no cache. */
    private const DRIVERS = ['file', 'native', 'array', 'null'];
    private const HANDLERS = [FileSessionHandler::class, ArraySessionHandler::class, NullSessionHandler::class];
    /** What warm-up has in the place of the real driver, so that it can prove what is done here. */
    private const DRIVER_OF_WARM_UP = 'null';

    private ?LaravelSpareSession $session = null;
    private bool $isPrepared = false;
    /** not if the boot has made the manager: warm-up has others in its place, and can't prove what is done with it */
    private readonly bool $mayHangDoor;

    public function __construct(private readonly Laravel $laravel)
    {
        // loaded later, they would leave a trace in the application's autoloader
        foreach ([LaravelContainer::class, LaravelSessions::class, LaravelSpareSession::class] as $class) {
            class_exists($class);
        }
        $this->mayHangDoor = !$laravel->resolved('session') && LaravelSessions::canBeStoodInFor() && class_exists(LaravelSessionDoor::class);
    }

    /**
     * In the base: lets the container ask here first. False: it is left as it is, since somebody else than Laravel has
     * a say in how these services are made, or because the boot has made them, for everybody.
     */
    public function prepare(): bool
    {
        $services = new LaravelServices($this->laravel);
        if ($this->laravel::class !== Laravel::class) {
            return false;
        }
        foreach (self::MAKERS as $service => [$class, $provider]) {
            if (!$services->isLaravelsOwn($service, $class, $provider)) {
                return false;
            }
        }
        $lenders = [
            'session.store' => fn (Laravel $laravel): ?object => $this->session?->store($laravel),
            'redirect' => fn (Laravel $laravel): ?object => $this->session?->redirector($laravel),
            ResponseFactoryContract::class => fn (Laravel $laravel): ?object => $this->session?->responses($laravel),
        ];
        if (array_filter(array_keys($lenders), $this->laravel->resolved(...)) !== []) {
            return false;
        }
        foreach ($lenders as $service => $lend) {
            $make = $services->maker($service);
            $this->laravel->singleton(
                $service,
                static fn (Laravel $laravel, array $parameters = []): mixed => $lend($laravel) ?? $make($laravel, $parameters),
            );
        }
        $this->isPrepared = true;
        // what making one leaves in caches must be there before anything is compared
        $sessions = $this->sessions();
        if ($sessions !== null) {
            $this->stores($sessions[0]);
        }

        return true;
    }

    /**
     * In the base, once it is warm: makes what shall lie ready. False: nothing does, since nobody would ask here for
     * it, or because it can't be made.
     */
    public function make(): bool
    {
        if (!$this->isPrepared) {
            return false;
        }
        $services = array_keys(self::MAKERS);
        $container = new LaravelContainer($this->laravel, $services, self::PARTS, [...$services, ...self::PARTS, ...self::OTHER_NAMES]);
        $config = ($container->instance)('config');
        $url = ($container->instance)('url');
        $files = ($container->instance)('files');
        $sessions = $this->sessions();
        if (!$config instanceof Repository || $url === null || $files === null || $sessions === null) {
            return false;
        }
        [$driver, $settings] = $sessions;
        $view = ($container->instance)('view');
        $stores = $this->stores($driver);
        if (!isset($stores[$driver])) {
            return false;
        }
        [$redirector, $responses] = $container->undone(function () use ($container, $stores, $driver, $view): array {
            ($container->put)('session.store', $stores[$driver]);

            return [
                $this->laravel->get('redirect'),
                $view === null ? null : $this->laravel->get(ResponseFactoryContract::class),
            ];
        });
        $configurations = [];
        foreach ($stores as $name => $store) {
            if (!$this->isKnown($store, $files)) {
                return false;
            }
            LaravelSessions::forgetId($store);
            // the array itself where that is possible: then comparing costs nothing
            $configurations[$name] = $name === $driver ? $settings : array_replace($settings, ['driver' => $name]);
        }
        if (!$redirector instanceof Redirector || !LaravelContainer::holdsOnly($redirector, [$url, $stores[$driver]])) {
            return false;
        }
        if (!is_object($responses) || $view === null || !LaravelContainer::holdsOnly($responses, [$view, $redirector])) {
            $responses = null;
        }
        $this->session = new LaravelSpareSession(
            $this->laravel,
            $container,
            new LaravelSessions($this->laravel, $config),
            $config,
            $stores,
            $configurations,
            $redirector,
            $responses,
            $view,
            $container->watch(),
        );
        if ($this->mayHangDoor) {
            $this->session->hangDoor();
        }

        return true;
    }

    public function drop(): void
    {
        $this->session?->takeDoorAway();
        $this->session = null;
    }

    /**
     * In a request: the session's store, as if the container were asked for it; null: it must be.
     */
    public function storeOfContainer(Laravel $laravel): ?Store
    {
        return $this->session?->storeOfContainer($laravel);
    }

    /**
     * Driver and configuration of sessions; null: they are of another kind.
     *
     * @return array{string, array<mixed>}|null
     */
    private function sessions(): ?array
    {
        $config = $this->laravel->get('config');
        $settings = $config instanceof Repository && $config::class === Repository::class ? $config->all()['session'] ?? null : null;
        if (!is_array($settings) || ($settings['encrypt'] ?? false) !== false) {
            return null;
        }
        $driver = $settings['driver'] ?? null;

        return is_string($driver) && in_array($driver, self::DRIVERS, true) ? [$driver, $settings] : null;
    }

    /**
     * @return array<string, Store> by driver
     */
    private function stores(string $driver): array
    {
        $stores = [];
        foreach ([$driver, self::DRIVER_OF_WARM_UP] as $name) {
            // a manager of its own: the application's would keep them
            $store = (new SessionManager($this->laravel))->driver($name);
            if ($store instanceof Store) {
                $stores[$name] = $store;
            }
        }

        return $stores;
    }

    private function isKnown(Store $store, object $files): bool
    {
        $handler = $store->getHandler();

        return $store::class === Store::class && in_array($handler::class, self::HANDLERS, true) &&
            LaravelContainer::holdsOnly($handler, [$files]) && LaravelContainer::holdsOnly($store, [$handler]);
    }
}
