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
    public const CALLBACKS = [
        'beforeResolvingCallbacks', 'resolvingCallbacks', 'afterResolvingCallbacks', 'afterResolvingAttributeCallbacks',
    ];
    public const CALLBACKS_FOR_ALL = [
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
        $makers = [$this->laravel->getBindings()[$service]['concrete'] ?? null, ...(is_array($extenders) ? $extenders : [null])];
        foreach ($makers as $maker) {
            if (!$maker instanceof Closure || (new ReflectionFunction($maker))->getClosureScopeClass()?->getName() !== $provider) {
                return false;
            }
        }

        return true;
    }

    /**
     * What isLaravelsOwn() has found.
     */
    public function maker(string $service): Closure
    {
        $maker = $this->laravel->getBindings()[$service]['concrete'] ?? null;

        return $maker instanceof Closure ? $maker : throw new LogicException("Laravel's own closure makes $service no more.");
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
