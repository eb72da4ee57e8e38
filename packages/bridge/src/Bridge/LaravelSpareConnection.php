<?php

declare(strict_types=1);

namespace Weft\Bridge;

use Closure;
use Illuminate\Config\Repository;
use Illuminate\Database\Connection;
use Illuminate\Database\Connectors\ConnectionFactory;
use Illuminate\Database\DatabaseManager;
use Illuminate\Database\DatabaseServiceProvider;
use Illuminate\Database\DatabaseTransactionsManager;
use Illuminate\Database\Events\ConnectionEstablished;
use Illuminate\Events\Dispatcher;
use Illuminate\Foundation\Application as Laravel;
use Illuminate\Support\ConfigurationUrlParser;
use ReflectionClass;

use function Weft\Isolation\end_demand;
use function Weft\Isolation\on_demand;

/**
 * Laravel's connections that lie ready in the base: the object, without a PDO in it. Like one that Laravel makes, it
 * makes its PDO when it is first needed. DatabaseManager::connection() looks into its table first, and finds it there
 * if what Laravel would make now is the same. The event that tells of a new connection is dispatched then.
 *
 * @internal
 */
final class LaravelSpareConnection
{
    /** Before the names of connections among what a request has used. */
    private const USED = 'connection ';
    private const PARTS = ['config', 'events', 'db', 'db.factory', 'db.transactions'];
    private const MAKERS = [
        'db' => [DatabaseManager::class, DatabaseServiceProvider::class],
        'db.factory' => [ConnectionFactory::class, DatabaseServiceProvider::class],
        'db.transactions' => [DatabaseTransactionsManager::class, DatabaseServiceProvider::class],
    ];

    private ?DatabaseManager $manager = null;

    public function __construct(private readonly Laravel $laravel)
    {
        // loaded later, they would leave a trace in the application's autoloader
        foreach ([LaravelContainer::class, LaravelConnections::class, ConfigurationUrlParser::class] as $class) {
            class_exists($class);
        }
    }

    /**
     * In a request: the connections that it has used, to be given to make().
     *
     * @return list<string>
     */
    public static function used(Laravel $laravel): array
    {
        return array_map(static fn (string $name): string => self::USED . $name, array_map(strval(...), array_keys(LaravelConnections::of($laravel))));
    }

    /**
     * In the base, once it is warm. False: nothing lies ready.
     *
     * @param list<string> $used
     */
    public function make(array $used): bool
    {
        $container = new LaravelContainer($this->laravel, array_keys(self::MAKERS), self::PARTS, self::PARTS);
        $parts = array_map($container->instance, array_combine(self::PARTS, self::PARTS));
        ['config' => $config, 'events' => $events, 'db' => $manager, 'db.factory' => $factory] = $parts;
        if (!$config instanceof Repository || $config::class !== Repository::class ||
            !$events instanceof Dispatcher || $events::class !== Dispatcher::class ||
            !$manager instanceof DatabaseManager || $manager::class !== DatabaseManager::class ||
            $factory === null || $factory::class !== ConnectionFactory::class || !$this->isLaravelsOwn()) {
            return false;
        }
        [$spares, $transactions] = $container->undone(fn (): array => [
            $this->connections($manager, $config, self::names($used)),
            $this->laravel->get('db.transactions'),
        ]);
        if ($spares === [] || !$transactions instanceof DatabaseTransactionsManager || $transactions::class !== DatabaseTransactionsManager::class ||
            !on_demand($manager, 'connections', 'connection', $this->lender($manager, $config, $events, $transactions, $container, $spares))) {
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
     * @param list<string> $used
     *
     * @return list<string>
     */
    private static function names(array $used): array
    {
        $ours = array_filter($used, static fn (string $what): bool => str_starts_with($what, self::USED));

        return array_map(static fn (string $what): string => substr($what, strlen(self::USED)), array_values($ours));
    }

    private function isLaravelsOwn(): bool
    {
        $services = new LaravelServices($this->laravel);
        foreach (self::MAKERS as $service => [$class, $provider]) {
            if (!$services->isLaravelsOwn($service, $class, $provider)) {
                return false;
            }
        }

        // since Laravel 11 only
        return $this->laravel::class === Laravel::class && (new ReflectionClass(DatabaseManager::class))->hasMethod('dispatchConnectionEstablishedEvent');
    }

    /**
     * @param array<string> $names
     *
     * @return array<string, Connection>
     */
    private function connections(DatabaseManager $manager, Repository $config, array $names): array
    {
        $make = Closure::bind(
            // what connection() does, without the event
            static fn (string $name): Connection => $manager->configure($manager->makeConnection($name), null),
            null,
            DatabaseManager::class,
        );
        $extensions = Closure::bind(static fn (): array => $manager->extensions, null, DatabaseManager::class)();
        $made = [];
        foreach ($names as $name) {
            $settings = self::settings($config)[$name] ?? null;
            $settings = is_array($settings) ? (new ConfigurationUrlParser())->parseConfiguration($settings) : [];
            $driver = $settings['driver'] ?? null;
            // which of several servers one is for is left to chance each time
            if (!is_string($driver) || isset($settings['read']) || isset($settings['write']) ||
                isset($extensions[$name]) || isset($extensions[$driver]) || Connection::getResolver($driver) !== null) {
                continue;
            }
            $made[$name] = $make($name);
        }

        return $made;
    }

    /**
     * @param array<string, Connection> $spares
     *
     * @return Closure(string): void
     */
    private function lender(DatabaseManager $manager, Repository $config, Dispatcher $events, DatabaseTransactionsManager $transactions, LaravelContainer $container, array $spares): Closure
    {
        $isHeard = Closure::bind(
            static fn (): bool => isset($events->listeners[ConnectionEstablished::class]) || $events->wildcards !== [] || ($events->deferringEvents ?? false),
            null,
            Dispatcher::class,
        );
        $rules = Closure::bind(static fn (): array => [
            $manager->app, $manager->factory, $manager->extensions, $manager->reconnector, $manager->dynamicConnectionConfigurations ?? [],
        ], null, DatabaseManager::class);
        $statics = Closure::bind(static fn (): array => [Connection::$resolvers, ConfigurationUrlParser::getDriverAliases()], null, Connection::class);
        $settings = Closure::bind(static fn (): mixed => $config->items['database']['connections'] ?? null, null, Repository::class);
        $isAsBefore = $container->watch();
        $known = [$rules(), $statics(), $settings()];

        return Closure::bind(static function (string $name) use ($manager, $transactions, $container, $spares, $isHeard, $isAsBefore, $rules, $statics, $settings, $known): void {
            if (!isset($spares[$name]) || ($container->isBuildingInContext)() || !$isAsBefore() || [$rules(), $statics(), $settings()] !== $known) {
                return;
            }
            if (($container->instance)('db.transactions') === null) {
                ($container->put)('db.transactions', $transactions);
            }
            $manager->connections = [$name => $spares[$name]];
            if ($isHeard()) {
                $manager->dispatchConnectionEstablishedEvent($spares[$name]);
            }
        }, null, DatabaseManager::class);
    }

    /**
     * @return array<mixed>
     */
    private static function settings(Repository $config): array
    {
        $database = $config->all()['database'] ?? null;
        $connections = is_array($database) ? $database['connections'] ?? null : null;

        return is_array($connections) ? $connections : [];
    }
}
