<?php

declare(strict_types=1);

namespace Weft\Bridge\Laravel;

use Illuminate\Database\Eloquent\Attributes\Boot;
use Illuminate\Database\Eloquent\Attributes\Initialize;
use Illuminate\Database\Eloquent\Attributes\ObservedBy;
use Illuminate\Database\Eloquent\Attributes\ScopedBy;
use Illuminate\Database\Eloquent\Casts\Attribute;
use Illuminate\Database\Eloquent\Model;
use ReflectionClass;
use ReflectionMethod;
use ReflectionNamedType;

/**
 * Boots Eloquent models in the base, as their first use in a request would. Eloquent looks at every method of a model
 * for that, some 400, which is much of what a short request costs.
 *
 * A boot may look at who asks, and add a scope for some only. So only models are booted that use none of the ways that
 * Eloquent documents for taking part in it. Such a boot depends on the class and on nothing else. Of a model is looked
 * at which methods it has, and in whose files they are written.
 *
 * @internal
 */
final class Models
{
    /** What a boot calls of the model itself, besides what its traits bring; and what made the object for it. */
    private const OF_THE_BOOT = [
        'bootIfNotBooted', 'fireModelEvent', 'booting', 'boot', 'bootTraits', 'booted', 'whenBooted', 'observe',
        'addGlobalScope', 'addGlobalScopes', 'resolveGlobalScopeAttributes', 'resolveObserveAttributes',
        'cacheMutatedAttributes', 'getMutatorMethods', 'getAttributeMarkedMutatorMethods',
        '__construct', 'initializeTraits', 'syncOriginal', 'fill',
    ];
    private const ATTRIBUTES_OF_METHODS = [Boot::class, Initialize::class];
    private const ATTRIBUTES_OF_CLASSES = [ObservedBy::class, ScopedBy::class];

    private readonly string $framework;

    public function __construct()
    {
        $this->framework = dirname((string) (new ReflectionClass(Model::class))->getFileName(), 3) . '/';
    }

    /**
     * In the base: those that have been loaded. False: none of them is booted here.
     */
    public function boot(): bool
    {
        $any = false;
        foreach (get_declared_classes() as $class) {
            if (is_subclass_of($class, Model::class) && $this->isLaravelsOwn($class)) {
                $class::cacheMutatedAttributes(new $class());
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
        if ($reflection->isAbstract() || $reflection->isAnonymous() || $this->hasListeners($reflection)) {
            return false;
        }
        $ofTraits = [];
        foreach (array_map(class_basename(...), array_values(class_uses_recursive($class))) as $trait) {
            $ofTraits[] = "boot$trait";
            $ofTraits[] = "initialize$trait";
        }
        foreach ($reflection->getMethods() as $method) {
            $name = $method->getName();
            $ofTheBoot = in_array($name, self::OF_THE_BOOT, true) || in_array($name, $ofTraits, true)
                || self::hasAny($method, self::ATTRIBUTES_OF_METHODS) || self::isMutator($method);
            if ($ofTheBoot && !$this->isOfTheFramework($method->getFileName())) {
                return false;
            }
        }
        for ($part = $reflection; $part !== false; $part = $part->getParentClass()) {
            foreach ([$part, ...array_values($part->getTraits())] as $of) {
                if (self::hasAny($of, self::ATTRIBUTES_OF_CLASSES)) {
                    return false;
                }
            }
        }

        return true;
    }

    private function isOfTheFramework(string|false $file): bool
    {
        return str_starts_with((string) $file, $this->framework);
    }

    /**
     * @param ReflectionMethod|ReflectionClass<object> $of
     * @param list<string> $attributes which need not exist in each version of Laravel
     */
    private static function hasAny(ReflectionMethod|ReflectionClass $of, array $attributes): bool
    {
        foreach ($of->getAttributes() as $attribute) {
            foreach ($attributes as $name) {
                if (is_a($attribute->getName(), $name, true)) {
                    return true;
                }
            }
        }

        return false;
    }

    /** One that gives an attribute: what it does is the model's. */
    private static function isMutator(ReflectionMethod $method): bool
    {
        $type = $method->getReturnType();

        return preg_match('/^get.+Attribute$/', $method->getName()) === 1
            || ($type instanceof ReflectionNamedType && $type->getName() === Attribute::class);
    }

    /**
     * Or names events of its own, which may be those of the boot.
     *
     * @param ReflectionClass<Model> $model
     */
    private function hasListeners(ReflectionClass $model): bool
    {
        $class = $model->getName();
        $dispatcher = Model::getEventDispatcher();
        foreach (['booting', 'booted'] as $event) {
            if ($dispatcher?->hasListeners("eloquent.$event: $class") === true) {
                return true;
            }
        }

        return !$this->isOfTheFramework($model->getProperty('dispatchesEvents')->getDeclaringClass()->getFileName());
    }
}
