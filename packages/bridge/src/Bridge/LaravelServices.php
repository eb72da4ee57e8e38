<?php

declare(strict_types=1);

namespace Weft\Bridge;

use Closure;
use Illuminate\Container\Container;
use Illuminate\Foundation\Application as Laravel;
use LogicException;
use ReflectionClass;
use ReflectionFunction;

/**
 * What Laravel's container would do to make a service.
 *
 * @internal
 */
final class LaravelServices
{
    /** What the container calls, by the name of the service or a class of it, when one is made. */
    private const CALLBACKS = [
        'beforeResolvingCallbacks', 'resolvingCallbacks', 'afterResolvingCallbacks', 'afterResolvingAttributeCallbacks',
    ];
    private const CALLBACKS_FOR_ALL = [
        'globalBeforeResolvingCallbacks', 'globalResolvingCallbacks', 'globalAfterResolvingCallbacks',
    ];

    public function __construct(private readonly Laravel $laravel)
    {
    }

    /**
     * Nobody but this provider of Laravel has a say in how the service is made. What it calls is known, then.
     *
     * @param class-string $class what the service is
     * @param class-string $provider
     */
    public function isLaravelsOwn(string $service, string $class, string $provider): bool
    {
        foreach (self::CALLBACKS_FOR_ALL as $property) {
            if ($this->read($property) !== []) {
                return false;
            }
        }
        foreach (self::CALLBACKS as $property) {
            foreach (array_keys($this->read($property)) as $name) {
                if ($name === $service || is_a($class, (string) $name, true)) {
                    return false;
                }
            }
        }
        $extenders = $this->read('extenders')[$service] ?? [];
        foreach (is_array($extenders) ? $extenders : [null] as $extender) {
            if (!self::isOf($extender, $provider)) {
                return false;
            }
        }

        return $this->isMadeBy($service, $provider);
    }

    /**
     * This provider of Laravel makes the service, whatever others do with it then.
     *
     * @param class-string $provider
     */
    private function isMadeBy(string $service, string $provider): bool
    {
        return self::isOf($this->laravel->getBindings()[$service]['concrete'] ?? null, $provider);
    }

    /**
     * Nobody wants to be called whenever a service is asked for, even if it has been made.
     */
    public function areTakenUnseen(): bool
    {
        return $this->read('globalBeforeResolvingCallbacks') === [] && $this->read('beforeResolvingCallbacks') === [];
    }

    /**
     * What isLaravelsOwn() or isMadeBy() has found.
     */
    public function maker(string $service): Closure
    {
        $maker = $this->laravel->getBindings()[$service]['concrete'] ?? null;

        return $maker instanceof Closure ? $maker : throw new LogicException("Laravel's own closure makes $service no more.");
    }

    private static function isOf(mixed $maker, string $provider): bool
    {
        return $maker instanceof Closure && (new ReflectionFunction($maker))->getClosureScopeClass()?->getName() === $provider;
    }

    /**
     * @return array<mixed>
     */
    private function read(string $property): array
    {
        $declared = new ReflectionClass(Container::class);
        $value = $declared->hasProperty($property) ? $declared->getProperty($property)->getValue($this->laravel) : [];

        return is_array($value) ? $value : [];
    }
}
