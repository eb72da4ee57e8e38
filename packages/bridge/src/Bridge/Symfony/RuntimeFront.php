<?php

declare(strict_types=1);

namespace Weft\Bridge\Symfony;

use Closure;
use Psr\Http\Server\RequestHandlerInterface;
use ReflectionFunction;
use ReflectionNamedType;
use Symfony\Component\HttpKernel\HttpKernelInterface;
use Symfony\Component\Runtime\RuntimeInterface;
use Symfony\Component\Runtime\SymfonyRuntime;
use Weft\Bridge\UnusableApplication;

/**
 * A front controller that returns a closure for symfony/runtime: the closure is called once, and the runtime's runner
 * handles each request.
 *
 *     require_once dirname(__DIR__) . '/vendor/autoload_runtime.php';
 *
 *     return fn (array $context): Kernel => new Kernel($context['APP_ENV'], (bool) $context['APP_DEBUG']);
 *
 * That file does nothing when vendor/autoload.php has been loaded before, so what it would do is done here: what the
 * environment and composer.json say of the runtime decides, as there.
 *
 * @internal
 */
final class RuntimeFront implements Front
{
    private ?RuntimeInterface $runtime = null;
    private ?Closure $closure = null;

    public function __construct(private readonly Project $project)
    {
    }

    public function load(): ?object
    {
        require_once $this->project->vendorDirectory() . '/autoload.php';
        $returned = self::run($this->project->frontController());
        if (!is_callable($returned)) {
            throw new UnusableApplication(sprintf(
                '%s must return a closure for symfony/runtime; it returned %s.',
                $this->project->frontController(),
                get_debug_type($returned),
            ));
        }
        $this->closure = $returned(...);
        $this->runtime = $this->makeRuntime();
        if (!self::needsOnlyContext($this->closure)) {
            return null;
        }
        $application = self::make($this->runtime, $this->closure);

        return $application instanceof HttpKernelInterface || $application instanceof RequestHandlerInterface ? $application : null;
    }

    /**
     * A runtime keeps the request that it has made, so each request has one of its own.
     */
    public function answer(?object $application): Closure
    {
        [$runtime, $closure] = [$this->runtime, $this->closure];
        if ($runtime === null || $closure === null) {
            throw new UnusableApplication("{$this->project->directory} has not booted.");
        }

        // another runtime may want to know the class
        $names = $runtime::class === SymfonyRuntime::class;

        return static function () use ($runtime, $closure, $application, $names): void {
            $own = clone $runtime;
            $handler = $application ?? self::make($own, $closure);
            $own->getRunner($names && $handler instanceof HttpKernelInterface ? new RouteNaming($handler) : $handler)->run();
        };
    }

    /**
     * As vendor/autoload_runtime.php makes it.
     */
    private function makeRuntime(): RuntimeInterface
    {
        $ofProject = $this->project->runtime();
        $class = $_SERVER['APP_RUNTIME'] ?? $_ENV['APP_RUNTIME'] ?? $ofProject['class'] ?? SymfonyRuntime::class;
        $options = $_SERVER['APP_RUNTIME_OPTIONS'] ?? $_ENV['APP_RUNTIME_OPTIONS'] ?? [];
        if (is_string($options)) {
            $options = json_decode($options, true, flags: JSON_THROW_ON_ERROR);
        }
        if (!is_array($options)) {
            throw new UnusableApplication('APP_RUNTIME_OPTIONS must be an array, or a string of JSON that holds one; it is ' . get_debug_type($options) . '.');
        }
        if (!is_string($class) || !is_a($class, RuntimeInterface::class, true)) {
            $what = is_string($class) ? $class : get_debug_type($class);
            throw new UnusableApplication('APP_RUNTIME must name a class that implements ' . RuntimeInterface::class . "; $what does not.");
        }
        unset($ofProject['class'], $ofProject['autoload_template']);
        $_SERVER['APP_RUNTIME_OPTIONS'] = $options + $ofProject + ['project_dir' => $this->project->directory];

        return new $class($_SERVER['APP_RUNTIME_OPTIONS']);
    }

    /**
     * The environment is there at the boot; the request is not.
     */
    private static function needsOnlyContext(Closure $closure): bool
    {
        foreach ((new ReflectionFunction($closure))->getParameters() as $parameter) {
            $type = $parameter->getType();
            if ($parameter->getName() !== 'context' || !$type instanceof ReflectionNamedType || $type->getName() !== 'array') {
                return false;
            }
        }

        return true;
    }

    private static function make(RuntimeInterface $runtime, Closure $closure): ?object
    {
        [$callable, $arguments] = $runtime->getResolver($closure)->resolve();
        $application = $callable(...$arguments);

        return is_object($application) || $application === null
            ? $application
            : throw new UnusableApplication('The closure of public/index.php must return an object for symfony/runtime; it returned ' . get_debug_type($application) . '.');
    }

    /**
     * In a scope of its own: the file sees no $this.
     */
    private static function run(string $file): mixed
    {
        return require $file;
    }
}
