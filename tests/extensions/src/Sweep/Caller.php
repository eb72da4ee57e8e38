<?php

declare(strict_types=1);

namespace Weft\ExtensionTests\Sweep;

use Closure;
use ReflectionClass;
use ReflectionException;
use ReflectionExtension;
use ReflectionFunctionAbstract;
use ReflectionMethod;
use Throwable;

/**
 * Calls everything that a module has, for one identity, in an order that is always the same, and writes down what came of each
 * call: what it returned or threw, what it said, and what it put into references. Others get a turn after each.
 */
final class Caller
{
    /** What would end or stop the process, start another, change whose it is, or read from the terminal. */
    private const NEVER = '/(^|_|::)(exec\w*|fork|kill|killpg|exit|wait\w*|sleep|pause|alarm|daemon\w*|system|passthru|popen|abort|set[er]*[ug]id|setsid|setpgid'
        . '|setrlimit|initgroups|chroot|unshare|mknod|dl|readline|readline_callback_\w+|xdebug_break|run|loop|allow_exit|shutdown|poweroff|reboot)$|^(uopz|FFI::load)/i';
    private const LAST = '/close|free|destroy|delete|remove|unset|shutdown|disconnect|quit|clear|unlink|rmdir|kill|stop|abort|rollback|reset|__destruct/i';

    private readonly Arguments $arguments;

    /** @var list<string> what this call has said */
    private array $said = [];

    /**
     * @param array<string, true> $leftOut names of calls that are not made
     * @param Closure(string, string|null): void $record gets each call, first without its result
     */
    public function __construct(
        private readonly ReflectionExtension $module,
        Identity $identity,
        string $kind,
        private readonly array $leftOut,
        private readonly Closure $record,
    ) {
        $this->arguments = new Arguments($identity, $kind);
    }

    /** The class, or the function, that a call is about. */
    public static function subject(string $call): string
    {
        return preg_match('/^(?:new |clone |serialize |count |text of |foreach )?([\\w\\\\]+)/', $call, $match) === 1 ? $match[1] : $call;
    }

    public function callAll(): void
    {
        set_error_handler(function (int $level, string $message): bool {
            $this->said[] = "$level $message";
            usleep(1);

            return true;
        });
        foreach ([false, true] as $all) {
            $this->construct($all);
            foreach ($this->inOrder($this->module->getFunctions()) as $name => $function) {
                $this->call("$name()", $function, $all, fn (array &$arguments): mixed => $function->invokeArgs($arguments));
            }
            foreach ($this->module->getClasses() as $class) {
                $this->methods($class, $all);
            }
        }
        for ($i = 0, $more = true; $more && $i < 300; $i++) {
            $this->attempt("release $i", function () use (&$more): bool {
                return $more = $this->arguments->release();
            });
        }
        restore_error_handler();
    }

    private function construct(bool $all): void
    {
        foreach ($this->module->getClasses() as $class) {
            if ($class->isInstantiable() && !$class->isSubclassOf(Throwable::class)) {
                $this->call("new {$class->getName()}", $class->getConstructor(), $all, fn (array &$arguments): object => $class->newInstanceArgs($arguments));
            }
        }
    }

    /**
     * @param ReflectionClass<object> $class
     */
    private function methods(ReflectionClass $class, bool $all): void
    {
        $named = [];
        foreach ($class->getMethods(ReflectionMethod::IS_PUBLIC) as $method) {
            if ($method->getDeclaringClass()->getName() === $class->getName() && !$method->isConstructor() && !$method->isDestructor() && !$method->isAbstract()) {
                $named[$method->getName()] = $method;
            }
        }
        $name = $class->getName();
        $object = $this->arguments->object($name);
        foreach ($this->inOrder($named) as $method) {
            if ($method->isStatic() || $object !== null) {
                $target = $method->isStatic() ? null : $object;
                $this->call("$name::{$method->getName()}()", $method, $all, fn (array &$arguments): mixed => $method->invokeArgs($target, $arguments));
            }
        }
        if ($object !== null) {
            $this->operators($name, $object, $all ? ' 2' : ' 1');
        }
    }

    /** What can be done to an object without a method. */
    private function operators(string $name, object $object, string $round): void
    {
        $this->attempt("clone $name$round", static fn (): object => clone $object);
        $this->attempt("serialize $name$round", static fn (): string => serialize($object));
        $this->attempt("count $name$round", static fn (): int => $object instanceof \Countable ? count($object) : 0);
        $this->attempt("text of $name$round", static fn (): string => $object instanceof \Stringable ? (string) $object : '');
        $this->attempt("foreach $name$round", static function () use ($object): array {
            $seen = [];
            foreach ($object instanceof \Traversable ? $object : [] as $value) {
                $seen[] = $value;
                usleep(1);
                if (count($seen) === 5) {
                    break;
                }
            }

            return $seen;
        });
    }

    /**
     * @template T of ReflectionFunctionAbstract
     * @param array<string, T> $functions
     * @return array<string, T> those that close something at the end
     */
    private function inOrder(array $functions): array
    {
        $late = array_filter($functions, static fn (string $name): bool => preg_match(self::LAST, $name) === 1, ARRAY_FILTER_USE_KEY);

        return array_diff_key($functions, $late) + $late;
    }

    /**
     * @param Closure(list<mixed>): mixed $call
     */
    private function call(string $name, ?ReflectionFunctionAbstract $function, bool $all, Closure $call): void
    {
        if (preg_match(self::NEVER, rtrim($name, '()')) === 1) {
            return;
        }
        $this->attempt($name . ($all ? ' 2' : ' 1'), function () use ($function, $all, $call): mixed {
            $arguments = $function === null ? [] : $this->arguments->of($function, $all);
            $given = $arguments;
            foreach ($function?->getParameters() ?? [] as $i => $parameter) {
                if ($parameter->isPassedByReference() && array_key_exists($i, $arguments)) {
                    $arguments[$i] = &$given[$i];
                }
            }
            $result = $call($arguments);
            $this->arguments->keep($result);

            return [$result, array_filter($given, is_scalar(...))];
        });
    }

    /**
     * @param Closure(): mixed $what
     */
    private function attempt(string $name, Closure $what): void
    {
        if (isset($this->leftOut[$name]) || isset($this->leftOut[self::subject($name) . ' *'])) {
            return;
        }
        ($this->record)($name, null);
        $this->said = [];
        ob_start(null);
        try {
            $result = $what();
        } catch (ReflectionException $problem) {
            $result = $problem;
        } catch (Throwable $problem) {
            $result = $problem;
        }
        $printed = ob_get_level() > 0 ? (string) ob_get_clean() : '';
        try {
            $text = Text::of($result);
        } catch (Throwable $problem) {
            $text = 'no text: ' . $problem->getMessage();
        }
        ($this->record)($name, $text . ($printed === '' ? '' : ' printed ' . Text::of($printed)) . ($this->said === [] ? '' : ' said ' . Text::of($this->said)));
        usleep(1);
    }
}
