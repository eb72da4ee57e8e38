<?php

declare(strict_types=1);

namespace Weft\Bridge;

use Closure;
use Illuminate\Foundation\Application as Laravel;

use function Weft\Isolation\are_unchanged;

/**
 * What spares need of Laravel's container, whose properties are protected.
 *
 * @internal
 */
final class LaravelContainer
{
    private const RULES = [
        'abstractAliases', 'extenders', 'contextual', 'environmentResolver', 'beforeResolvingCallbacks', 'resolvingCallbacks',
        'afterResolvingCallbacks', 'afterResolvingAttributeCallbacks', 'globalBeforeResolvingCallbacks',
        'globalResolvingCallbacks', 'globalAfterResolvingCallbacks',
    ];

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
    public function __construct(
        private readonly Laravel $laravel,
        private readonly array $services,
        private readonly array $parts,
        private readonly array $names,
    ) {
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
     * Tells later whether everything is as now that has a say in how the services are made.
     *
     * Requests ask several times. An array that nobody has written to is the same one, which takes one look.
     *
     * @return Closure(): bool
     */
    public function watch(): Closure
    {
        $laravel = $this->laravel;
        $values = Closure::bind(static fn (): array => get_object_vars($laravel), null, Laravel::class)();
        $places = [];
        foreach (self::RULES as $property) {
            // not all of them exist in each version of Laravel
            if (array_key_exists($property, $values)) {
                $places[] = [$laravel, $property, $values[$property]];
            }
        }
        // each request changes these tables, for other names
        foreach (['bindings' => $this->services, 'instances' => $this->parts, 'aliases' => $this->names] as $property => $names) {
            $table = is_array($values[$property] ?? null) ? $values[$property] : [];
            $places[] = [$laravel, $property, array_merge(array_fill_keys($names, null), array_intersect_key($table, array_flip($names))), true];
        }

        return static fn (): bool => are_unchanged($places);
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
