<?php

declare(strict_types=1);

namespace Weft\Bridge\Symfony;

use Closure;
use Symfony\Component\Dotenv\Dotenv;
use Symfony\Component\ErrorHandler\Debug;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpKernel\HttpKernelInterface;
use Symfony\Component\HttpKernel\KernelInterface;
use Weft\Bridge\UnusableApplication;

/**
 * A front controller that handles its request by itself, as before symfony/runtime. It can't be called twice, so what it
 * does by convention is done in its place: the kernel of src/Kernel.php, in the environment that .env says.
 *
 * @internal
 */
final class KernelFront implements Front
{
    public function __construct(private readonly Project $project)
    {
    }

    public function load(): object
    {
        require_once $this->project->vendorDirectory() . '/autoload.php';
        if ($this->project->frontControllerNames('config/bootstrap.php')) {
            require_once "{$this->project->directory}/config/bootstrap.php";
        } elseif (class_exists(Dotenv::class) && $this->hasEnvironmentFile()) {
            (new Dotenv())->bootEnv("{$this->project->directory}/.env");
        }
        $environment = $_SERVER['APP_ENV'] ??= $_ENV['APP_ENV'] ?? 'dev';
        $debug = $_SERVER['APP_DEBUG'] ??= $_ENV['APP_DEBUG'] ?? $environment !== 'prod';
        $debug = filter_var($debug, FILTER_VALIDATE_BOOL);
        if ($debug) {
            umask(0);
            class_exists(Debug::class) && Debug::enable();
        }
        $class = $this->project->kernelClass();
        if (!is_a($class, KernelInterface::class, true)) {
            throw new UnusableApplication("{$this->project->directory}/src/Kernel.php must declare $class, which implements " . KernelInterface::class . '.');
        }

        return new $class($environment, $debug);
    }

    public function answer(?object $application): Closure
    {
        if (!$application instanceof HttpKernelInterface) {
            throw new UnusableApplication("{$this->project->directory} has not booted.");
        }
        $application = new RouteNaming($application);

        return static function () use ($application): void {
            $request = Request::createFromGlobals();
            $response = $application->handle($request);
            $response->send();
            $application->terminate($request, $response);
        };
    }

    private function hasEnvironmentFile(): bool
    {
        foreach (['.env', '.env.local.php', '.env.dist'] as $file) {
            if (is_file("{$this->project->directory}/$file")) {
                return true;
            }
        }

        return false;
    }
}
