<?php

declare(strict_types=1);

// What the bridge uses of Laravel, declared for PHPStan only: the bridge requires no package, and Laravel's own
// classes come with the application that is served.

namespace Illuminate\Contracts\Http {
    interface Kernel
    {
        public function bootstrap(): void;

        public function handle(\Illuminate\Http\Request $request): \Symfony\Component\HttpFoundation\Response;

        public function terminate(\Illuminate\Http\Request $request, \Symfony\Component\HttpFoundation\Response $response): void;
    }
}

namespace Illuminate\Container {
    class Container
    {
        /** @var array<string, array{concrete: mixed, shared: bool}> */
        protected array $bindings;

        /** @var array<string, object> */
        protected array $instances;

        /** @var array<string, bool> */
        protected array $resolved;

        public mixed $contextual;

        /** @var list<mixed> */
        protected array $buildStack;

        /** @var array<string, list<mixed>> */
        protected array $reboundCallbacks;

        /** @var array<string, string> */
        protected array $aliases;

        protected mixed $abstractAliases;

        protected mixed $extenders;

        protected mixed $environmentResolver;

        protected mixed $globalBeforeResolvingCallbacks;

        protected mixed $globalResolvingCallbacks;

        protected mixed $globalAfterResolvingCallbacks;

        protected mixed $beforeResolvingCallbacks;

        protected mixed $resolvingCallbacks;

        protected mixed $afterResolvingCallbacks;

        protected mixed $afterResolvingAttributeCallbacks;

        public function bound(string $abstract): bool
        {
        }

        /**
         * @return array<string, array{concrete: mixed}>
         */
        public function getBindings(): array
        {
        }

        public function get(string $id): mixed
        {
        }
    }
}

namespace Illuminate\Foundation {
    class Application extends \Illuminate\Container\Container
    {
        public const VERSION = '';

        /**
         * @template T of object
         * @param class-string<T> $abstract
         * @return T
         */
        public function make(string $abstract): object
        {
        }

        public function configPath(string $path = ''): string
        {
        }

        public function forgetInstance(string $abstract): void
        {
        }

        public function singleton(string $abstract, \Closure $concrete): void
        {
        }

        public function resolved(string $abstract): bool
        {
        }

        /**
         * @param \Closure(Application): void $callback
         */
        public function afterBootstrapping(string $bootstrapper, \Closure $callback): void
        {
        }
    }
}

namespace Illuminate\Foundation\Http\Events {
    class RequestHandled
    {
        /** @var \Illuminate\Http\Response */
        public $response;
    }
}

namespace Illuminate\Foundation\Bootstrap {
    class LoadConfiguration
    {
    }

    class SetRequestForConsole
    {
        public function bootstrap(\Illuminate\Foundation\Application $app): void
        {
        }
    }
}

namespace Illuminate\Contracts\Config {
    interface Repository
    {
        public function get(string $key, mixed $default = null): mixed;

        /**
         * @param array<string, mixed>|string $key
         */
        public function set(array|string $key, mixed $value = null): void;
    }
}

namespace Illuminate\Config {
    class Repository implements \Illuminate\Contracts\Config\Repository
    {
        /** @var array<string, array<string, mixed>> */
        protected array $items;

        public function get(string $key, mixed $default = null): mixed
        {
        }

        public function set(array|string $key, mixed $value = null): void
        {
        }

        /**
         * @return array<string, mixed>
         */
        public function all(): array
        {
        }
    }
}

namespace Illuminate\Contracts\Routing {
    interface ResponseFactory
    {
    }
}

namespace Illuminate\Contracts\View {
    interface Factory
    {
    }
}

namespace Illuminate\Filesystem {
    class Filesystem
    {
    }

    class FilesystemServiceProvider
    {
    }
}

namespace Illuminate\Contracts\Session {
    interface Session
    {
    }
}

namespace Illuminate\Session\Middleware {
    class StartSession
    {
        protected mixed $manager;
    }
}

namespace Illuminate\Support {
    class Timebox
    {
    }
}

namespace Illuminate\Session {
    class SessionManager
    {
        protected \Illuminate\Container\Container $container;

        protected \Illuminate\Config\Repository $config;

        /** @var array<string, \Closure> */
        protected array $customCreators;

        /** @var array<string, Store> */
        protected array $drivers;

        public function __construct(\Illuminate\Container\Container $container)
        {
        }

        /**
         * @param string|null $driver
         * @return mixed
         */
        public function driver($driver = null)
        {
        }
    }

    class SessionServiceProvider
    {
    }

    class Store implements \Illuminate\Contracts\Session\Session
    {
        protected ?string $id;

        public function __construct(string $name, \SessionHandlerInterface $handler)
        {
        }

        public function getHandler(): \SessionHandlerInterface
        {
        }

        public function setId(?string $id): void
        {
        }
    }

    class ArraySessionHandler
    {
    }

    class FileSessionHandler
    {
    }

    class NullSessionHandler implements \SessionHandlerInterface
    {
        public function open(string $path, string $name): bool
        {
        }

        public function close(): bool
        {
        }

        public function read(string $id): string
        {
        }

        public function write(string $id, string $data): bool
        {
        }

        public function destroy(string $id): bool
        {
        }

        public function gc(int $max_lifetime): int
        {
        }
    }
}

namespace Illuminate\Cache {
    class CacheManager
    {
        /**
         * @param list<array-key> $name
         */
        public function forgetDriver(array $name): static
        {
        }
    }
}

namespace Illuminate\Database {
    class DatabaseServiceProvider
    {
    }

    class DatabaseTransactionsManager
    {
    }

    class DatabaseManager
    {
        protected \Illuminate\Foundation\Application $app;

        protected \Illuminate\Database\Connectors\ConnectionFactory $factory;

        /** @var array<string, Connection> */
        protected array $connections;

        /** @var array<mixed>|null */
        protected ?array $dynamicConnectionConfigurations;

        /** @var array<string, callable> */
        protected array $extensions;

        protected mixed $reconnector;

        protected function makeConnection(string $name): Connection
        {
        }

        protected function configure(Connection $connection, ?string $type): Connection
        {
        }

        protected function dispatchConnectionEstablishedEvent(Connection $connection): void
        {
        }

        /**
         * @return array<string, Connection>
         */
        public function getConnections(): array
        {
        }
    }

    class Connection
    {
        /** @var array<string, \Closure> */
        protected static array $resolvers;

        public static function getResolver(string $driver): ?\Closure
        {
        }

        public function beginTransaction(): void
        {
        }

        public function rollBack(?int $toLevel = null): void
        {
        }

        public function enableQueryLog(): void
        {
        }

        /**
         * @return list<array{query: string, bindings: array<mixed>, time: ?float}>
         */
        public function getQueryLog(): array
        {
        }
    }
}

namespace Illuminate\Database\Connectors {
    class ConnectionFactory
    {
    }
}

namespace Illuminate\Support {
    class ConfigurationUrlParser
    {
        /**
         * @param array<mixed> $config
         * @return array<mixed>
         */
        public function parseConfiguration(array $config): array
        {
        }

        /**
         * @return array<string, string>
         */
        public static function getDriverAliases(): array
        {
        }
    }
}

namespace Illuminate\Database\Events {
    class ConnectionEstablished
    {
        public \Illuminate\Database\Connection $connection;
    }
}

namespace Illuminate\Contracts\Auth {
    interface Factory
    {
        public function guard(?string $name = null): Guard;

        public function shouldUse(string $name): void;
    }

    interface StatefulGuard extends Guard
    {
        public function onceUsingId(mixed $id): Authenticatable|false;
    }

    interface Authenticatable
    {
        public function getAuthIdentifierName(): string;
    }

    interface Guard
    {
        public function setUser(Authenticatable $user): void;
    }
}

namespace Illuminate\Auth {
    class AuthManager
    {
        protected \Illuminate\Foundation\Application $app;

        /** @var array<string, object> */
        protected array $guards;

        /** @var array<string, \Closure> */
        protected array $customCreators;

        /** @var array<string, \Closure> */
        protected array $customProviderCreators;

        public function __construct(\Illuminate\Foundation\Application $app)
        {
        }

        public function guard(): \Illuminate\Contracts\Auth\Guard
        {
        }

        /**
         * @param array<mixed> $config
         */
        public function createSessionDriver(mixed $name, array $config): SessionGuard
        {
        }
    }

    class AuthServiceProvider
    {
    }

    class EloquentUserProvider
    {
    }

    class SessionGuard
    {
        protected mixed $session;

        protected mixed $request;

        public function getProvider(): object
        {
        }

        public function getTimebox(): object
        {
        }
    }
}

namespace Illuminate\Database\Eloquent {
    class Model
    {
        public bool $exists = false;

        /**
         * @param array<string, mixed> $attributes
         */
        public function forceFill(array $attributes): static
        {
        }

        public static function getEventDispatcher(): ?\Illuminate\Contracts\Events\Dispatcher
        {
        }

        /**
         * @return list<string>
         */
        public static function resolveGlobalScopeAttributes(): array
        {
        }

        /**
         * @return list<string>
         */
        public static function resolveObserveAttributes(): array
        {
        }

        public static function cacheMutatedAttributes(object|string $classOrInstance): void
        {
        }

        protected function bootIfNotBooted(): void
        {
        }
    }
}

namespace Illuminate\Database\Eloquent\Attributes {
    #[\Attribute]
    class Boot
    {
    }
}

namespace Illuminate\Database\Eloquent\Casts {
    class Attribute
    {
    }
}

namespace Illuminate\Contracts\Events {
    interface Dispatcher
    {
        public function hasListeners(string $eventName): bool;
    }
}

namespace Illuminate\Events {
    class Dispatcher
    {
        /** @var array<string, mixed> */
        protected array $listeners;

        /** @var array<string, mixed> */
        protected array $wildcards;

        protected ?bool $deferringEvents;

        public function listen(string $event, \Closure $listener): void
        {
        }
    }
}

namespace Illuminate\Http\Client {
    class Factory
    {
        public function preventStrayRequests(): static
        {
        }
    }
}

namespace Illuminate\Routing {
    class RoutingServiceProvider
    {
    }

    class UrlGenerator
    {
    }

    class Redirector
    {
        public function setSession(\Illuminate\Session\Store $session): void
        {
        }
    }

    class ResponseFactory implements \Illuminate\Contracts\Routing\ResponseFactory
    {
    }

    class Router
    {
        public function getRoutes(): RouteCollectionInterface
        {
        }

        public function get(string $uri, \Closure $action): Route
        {
        }
    }

    interface RouteCollectionInterface
    {
        /**
         * @return list<Route>
         */
        public function getRoutes(): array;
    }

    class Route
    {
        /**
         * @return list<string>
         */
        public function methods(): array
        {
        }

        /**
         * @return list<string>
         */
        public function parameterNames(): array
        {
        }

        public function uri(): string
        {
        }

        public function middleware(string $name): static
        {
        }

        public function getDomain(): ?string
        {
        }
    }
}

namespace Illuminate\Http {
    class Response
    {
        /** @var \Throwable|null */
        public $exception;
    }

    class Request
    {
        public static function capture(): self
        {
        }
    }
}

namespace Symfony\Component\HttpFoundation {
    class Response
    {
        public function send(bool $flush = true): static
        {
        }
    }
}

namespace {
    function class_basename(object|string $class): string
    {
    }

    /**
     * @return array<string, string>
     */
    function class_uses_recursive(object|string $class): array
    {
    }
}
