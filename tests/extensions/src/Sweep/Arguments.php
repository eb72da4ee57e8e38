<?php

declare(strict_types=1);

namespace Weft\ExtensionTests\Sweep;

use Closure;
use DateTimeImmutable;
use DateTimeInterface;
use ReflectionClass;
use ReflectionEnum;
use ReflectionFunctionAbstract;
use ReflectionIntersectionType;
use ReflectionNamedType;
use ReflectionParameter;
use ReflectionType;
use ReflectionUnionType;
use Throwable;
use Traversable;

/**
 * Harmless arguments for a function: by the type of each parameter, and by its name where there is none. What earlier calls
 * have returned is given to those that ask for such an object or a resource.
 */
final class Arguments
{
    /** Names of what is a number where no type says so. */
    private const NUMBERS = '/len|size|count|num|id$|flag|mode|timeout|^[xy]\d?$|width|height|level|option$|type|offset|limit|port|bits|color|sec|depth|index|pos/i';
    private const FILES = '/file|path|^dir|folder|^db$|database/i';
    private const HOSTS = '/host|server|uri|url|dsn|address|mailbox|connection_string|endpoint/i';
    private const CALLBACKS = '/callback|callable|handler|func/i';
    private const HANDLES = '/link|conn|stream|handle|resource|^fp$|socket|_id$|^im$|image|session|ftp|zip|broker|dict|ldap|result|psdoc/i';

    /** @var list<object> */
    private array $objects = [];

    /** @var list<resource> */
    private array $resources = [];

    public function __construct(private readonly Identity $identity, private readonly string $kind)
    {
    }

    /** Keeps what a call has returned for those after it. */
    public function keep(mixed $value): void
    {
        if (is_object($value) && !$value instanceof Throwable && !$value instanceof Closure && count($this->objects) < 200) {
            $this->objects[] = $value;
        } elseif (is_resource($value) && count($this->resources) < 100) {
            $this->resources[] = $value;
        }
    }

    /** The first one of that class that a call has returned. */
    public function object(string $class): ?object
    {
        foreach ($this->objects as $object) {
            if ($object instanceof $class) {
                return $object;
            }
        }

        return null;
    }

    /** Lets go of what was kept last. */
    public function release(): bool
    {
        return array_pop($this->objects) !== null || array_pop($this->resources) !== null;
    }

    /**
     * @return list<mixed> the required ones; with $all those that may be left out as well
     */
    public function of(ReflectionFunctionAbstract $function, bool $all): array
    {
        $arguments = [];
        foreach ($function->getParameters() as $parameter) {
            if ($parameter->isVariadic() || ($parameter->isOptional() && !$all)) {
                break;
            }
            $arguments[] = $parameter->isPassedByReference() && $parameter->getType() === null && preg_match(self::HANDLES, $parameter->getName()) !== 1
                ? null
                : $this->ofType($parameter->getType(), $parameter, $all);
        }

        return $arguments;
    }

    private function ofType(?ReflectionType $type, ReflectionParameter $parameter, bool $all): mixed
    {
        if ($type instanceof ReflectionUnionType || $type instanceof ReflectionIntersectionType) {
            $types = $type->getTypes();

            return $this->ofType($types[$all ? count($types) - 1 : 0], $parameter, $all);
        }
        if (!$type instanceof ReflectionNamedType || $type->getName() === 'mixed') {
            return $this->byName($parameter->getName(), $all);
        }

        return match ($type->getName()) {
            'int' => $this->number($parameter->getName()),
            'float' => $this->identity->number + 0.5,
            'bool', 'true', 'false' => !$all,
            'null' => null,
            'string' => $this->text($parameter->getName(), $all),
            'array' => $this->identity->list($all),
            'iterable', 'Traversable', 'Iterator' => $all ? $this->identity->iterator() : $this->identity->list(false),
            'callable', 'Closure' => $this->identity->callback($all),
            'object' => (object) $this->identity->list(false),
            default => $this->instance($type->getName(), $type->allowsNull()),
        };
    }

    private function byName(string $name, bool $all): mixed
    {
        return match (true) {
            preg_match(self::CALLBACKS, $name) === 1 => $this->identity->callback($all),
            preg_match(self::HOSTS, $name) === 1, preg_match(self::FILES, $name) === 1 => $this->text($name, $all),
            preg_match(self::HANDLES, $name) === 1 => $this->resource(),
            preg_match(self::NUMBERS, $name) === 1 => $this->number($name),
            preg_match('/arr|list|options|params|values|headers/i', $name) === 1 => $this->identity->list($all),
            default => $all && strlen($name) % 2 === 0 ? $this->identity->list(true) : $this->text($name, $all),
        };
    }

    /** Flags of all kinds are 0: others may have debugging on, or a lock. */
    private function number(string $name): int
    {
        return preg_match('/flag|option|mode/i', $name) === 1 ? 0 : $this->identity->number;
    }

    private function text(string $name, bool $slow): string|SlowText
    {
        $text = match (true) {
            preg_match(self::HOSTS, $name) === 1 => '127.0.0.1:1',
            preg_match(self::FILES, $name) === 1 => $slow ? "visitor://{$this->identity->number}/file" : "{$this->identity->directory}/file",
            preg_match('/pattern|regex/i', $name) === 1 => $this->kind === 'mbstring' ? 'vis(i)' : '/vis(i)/',
            preg_match('/encoding|charset/i', $name) === 1 => 'UTF-8',
            preg_match('/locale/i', $name) === 1 => 'en_US',
            preg_match('/timezone/i', $name) === 1 => 'UTC',
            preg_match('/xml|html|source|^data$|^string$|content|json|yaml|input|buffer|blob/i', $name) === 1 => $this->identity->text($this->kind),
            default => $this->identity->name(),
        };

        return $slow ? $this->identity->slowText($text) : $text;
    }

    /**
     * @return resource
     */
    private function resource()
    {
        foreach ($this->resources as $resource) {
            if (is_resource($resource)) {
                return $resource;
            }
        }
        $stream = fopen('php://memory', 'w+b') ?: throw new \RuntimeException('No memory stream.');
        fwrite($stream, $this->identity->text($this->kind));
        rewind($stream);

        return $stream;
    }

    private function instance(string $name, bool $allowsNull): ?object
    {
        $class = class_exists($name) || interface_exists($name) || enum_exists($name) ? new ReflectionClass($name) : null;
        $kept = $class === null ? null : $this->object($class->getName());
        if ($kept !== null || $class === null) {
            return $kept;
        }
        if (enum_exists($name)) {
            return (new ReflectionEnum($name))->getCases()[0]->getValue();
        }

        return match (true) {
            is_a($name, DateTimeInterface::class, true) => new DateTimeImmutable("2024-01-01 00:00:{$this->identity->number} UTC"),
            is_a(\ArrayIterator::class, $name, true), is_a($name, Traversable::class, true) => $this->identity->iterator(),
            is_a(SlowText::class, $name, true) => $this->identity->slowText($this->identity->name()),
            $class->isInstantiable() && ($class->getConstructor()?->getNumberOfRequiredParameters() ?? 0) === 0 => $class->newInstance(),
            default => $allowsNull ? null : (object) $this->identity->list(false),
        };
    }
}
