<?php

declare(strict_types=1);

namespace Weft\Bridge;

use Closure;
use Illuminate\Database\Eloquent\Attributes\Boot;
use Illuminate\Database\Eloquent\Casts\Attribute;
use Illuminate\Database\Eloquent\Model;
use ReflectionClass;
use ReflectionMethod;
use ReflectionNamedType;

/**
 * Boots Eloquent models in the base, as their first use in a request would. Eloquent looks at every method of a model
 * for that, some 400, which is much of what a short request costs.
 *
 * A boot may look at who asks, and add a scope for some only. So only models are booted whose boot is Laravel's code
 * alone, with nobody listening: that one depends on the class and on nothing else.
 *
 * @internal
 */
final class LaravelModels
{
    /** What a boot calls of the model itself, besides what its traits bring. */
    private const OF_THE_BOOT = [
        'bootIfNotBooted', 'fireModelEvent', 'booting', 'boot', 'bootTraits', 'booted', 'whenBooted', 'observe',
        'addGlobalScope', 'addGlobalScopes', 'resolveGlobalScopeAttributes', 'resolveObserveAttributes',
        'cacheMutatedAttributes', 'getMutatorMethods', 'getAttributeMarkedMutatorMethods',
    ];

    private readonly string $framework;

    public function __construct()
    {
        $this->framework = dirname((string) (new ReflectionClass(Model::class))->getFileName(), 3) . '/';
    }

    /**
     * In a request: the models that it has used.
     *
     * @return list<string>
     */
    public static function used(): array
    {
        return class_exists(Model::class, false) ? array_map(strval(...), array_keys(self::read('booted'))) : [];
    }

    /**
     * In the base. False: none of them is booted here.
     *
     * @param list<string> $classes
     */
    public function boot(array $classes): bool
    {
        $any = false;
        foreach ($classes as $class) {
            if (is_subclass_of($class, Model::class) && !isset(self::read('booted')[$class]) && $this->isLaravelsOwn($class)) {
                self::bootOne($class);
                $any = true;
            }
        }

        return $any;
    }

    /**
     * @param class-string<Model> $class
     */
    private function isLaravelsOwn(string $class): bool
    {
        $reflection = new ReflectionClass($class);
        if ($reflection->isAbstract()) {
            return false;
        }
        $boots = array_map(static fn (string $trait): string => 'boot' . class_basename($trait), array_values(class_uses_recursive($class)));
        foreach ($reflection->getMethods() as $method) {
            $name = $method->getName();
            $ofTheBoot = in_array($name, self::OF_THE_BOOT, true) || in_array($name, $boots, true)
                || $method->getAttributes(Boot::class) !== [] || self::isMutator($method);
            if ($ofTheBoot && !str_starts_with((string) $method->getFileName(), $this->framework)) {
                return false;
            }
        }

        return !$this->hasListeners($reflection) && (self::read('bootedCallbacks')[$class] ?? []) === [];
    }

    /** One that gives an attribute: what it does is the model's. */
    private static function isMutator(ReflectionMethod $method): bool
    {
        $type = $method->getReturnType();

        return preg_match('/^get.+Attribute$/', $method->getName()) === 1
            || ($type instanceof ReflectionNamedType && $type->getName() === Attribute::class);
    }

    /**
     * @param ReflectionClass<Model> $model
     */
    private function hasListeners(ReflectionClass $model): bool
    {
        $class = $model->getName();
        $dispatcher = Model::getEventDispatcher();
        $own = (array) ($model->getDefaultProperties()['dispatchesEvents'] ?? []);
        foreach (['booting', 'booted'] as $event) {
            if (isset($own[$event]) || $dispatcher?->hasListeners("eloquent.$event: $class") === true) {
                return true;
            }
        }

        return $class::resolveGlobalScopeAttributes() !== [] || $class::resolveObserveAttributes() !== [];
    }

    /**
     * @param class-string<Model> $class
     */
    private static function bootOne(string $class): void
    {
        // its constructor may be the application's
        $model = (new ReflectionClass($class))->newInstanceWithoutConstructor();
        Closure::bind(static fn () => $model->bootIfNotBooted(), null, Model::class)();
        $class::cacheMutatedAttributes($model);
    }

    /**
     * @return array<array-key, mixed>
     */
    private static function read(string $property): array
    {
        return (array) (new ReflectionClass(Model::class))->getStaticPropertyValue($property);
    }
}
