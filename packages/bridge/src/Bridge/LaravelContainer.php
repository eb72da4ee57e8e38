<?php

declare(strict_types=1);

namespace Weft\Bridge;

use Closure;
use Illuminate\Foundation\Application as Laravel;

/**
 * What spares need of Laravel's container, whose properties are protected.
 *
 * @internal
 */
final class LaravelContainer
{
    /** They have a say in how any service is made. Not all of them exist in each version of Laravel. */
    private const RULES = [
        'abstractAliases', 'extenders', 'contextual', 'environmentResolver', ...LaravelServices::CALLBACKS_FOR_ALL,
        ...LaravelServices::CALLBACKS,
    ];

    /** @var Closure(): list<mixed> everything that has a say in how the services are made */
    public readonly Closure $circumstances;
    /** @var Closure(string): ?object what has been made; null: nothing yet */
    public readonly Closure $instance;
    /** @var Closure(string, object): void lets this be the service, as if it had been made just now */
    public readonly Closure $put;
    /** @var Closure(): bool something is being made that may get other parts than the rest */
    public readonly Closure $isBuildingInContext;
    /** @var Closure(string): array<mixed> whom the container tells of each new one */
    public readonly Closure $rebound;
    /** @var Closure(string, Closure): void as rebinding() does, but for asking for the service */
    public readonly Closure $rebinding;

    /**
     * @param list<string> $services
     * @param list<string> $parts services that those are made of
     * @param list<string> $names what both are asked for by
     */
    public function __construct(private readonly Laravel $laravel, array $services, array $parts, array $names)
    {
        $rules = array_values(array_filter(self::RULES, static fn (string $name): bool => property_exists($laravel, $name)));
        $this->circumstances = Closure::bind(static function () use ($laravel, $services, $parts, $names, $rules): array {
            $all = [];
            foreach ($services as $service) {
                $all[] = $laravel->bindings[$service] ?? null;
            }
            foreach ($parts as $part) {
                $all[] = $laravel->instances[$part] ?? null;
            }
            // each request changes the table, for other names
            foreach ($names as $name) {
                $all[] = $laravel->aliases[$name] ?? null;
            }
            foreach ($rules as $rule) {
                $all[] = $laravel->$rule;
            }

            return $all;
        }, null, Laravel::class);
        $this->instance = Closure::bind(static fn (string $service): ?object => $laravel->instances[$service] ?? null, null, Laravel::class);
        $this->put = Closure::bind(static function (string $service, object $instance) use ($laravel): void {
            $laravel->instances[$service] = $instance;
            $laravel->resolved[$service] = true;
        }, null, Laravel::class);
        $this->isBuildingInContext = Closure::bind(static fn (): bool => $laravel->contextual !== [] && $laravel->buildStack !== [], null, Laravel::class);
        $this->rebound = Closure::bind(static fn (string $service): array => $laravel->reboundCallbacks[$service] ?? [], null, Laravel::class);
        $this->rebinding = Closure::bind(static function (string $service, Closure $callback) use ($laravel): void {
            $laravel->reboundCallbacks[$service][] = $callback;
        }, null, Laravel::class);
    }

    /**
     * Calls it, and leaves the container as it was.
     *
     * @template T
     * @param Closure(): T $f
     * @return T
     */
    public function undone(Closure $f): mixed
    {
        $laravel = $this->laravel;
        $properties = Closure::bind(static fn (): array => get_object_vars($laravel), null, Laravel::class);
        $restore = Closure::bind(static function (array $properties) use ($laravel): void {
            foreach ($properties as $name => $value) {
                $laravel->$name = $value;
            }
        }, null, Laravel::class);
        $before = $properties();
        try {
            return $f();
        } finally {
            $restore($before);
        }
    }

    /**
     * The object has no property with another object in it than these.
     *
     * @param list<object> $known
     */
    public static function holdsOnly(object $object, array $known): bool
    {
        foreach ((array) $object as $value) {
            if (!is_scalar($value) && $value !== null && $value !== [] && !in_array($value, $known, true)) {
                return false;
            }
        }

        return true;
    }
}
