<?php

declare(strict_types=1);

namespace Weft\Bridge\Symfony;

use Closure;
use Symfony\Component\EventDispatcher\EventDispatcherInterface;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Event\ExceptionEvent;
use Symfony\Component\HttpKernel\HttpCache\HttpCache;
use Symfony\Component\HttpKernel\HttpKernelInterface;
use Symfony\Component\HttpKernel\Kernel;
use Symfony\Component\HttpKernel\KernelEvents;
use Symfony\Component\HttpKernel\KernelInterface;
use Symfony\Component\Routing\Exception\ExceptionInterface;
use Symfony\Component\Routing\Route;
use Symfony\Component\Routing\RouterInterface;
use Twig\Template;
use Weft\Bridge\DryRun;
use Weft\Bridge\DryRun\NoSafeguards;
use Weft\Bridge\Settings;
use Weft\Bridge\UnusableApplication;
use Weft\Bridge\Warmable;
use Weft\Http\UpgradeRefused;
use Weft\Http\WebSocketClosed;

/**
 * A Symfony application, as it is. Its kernel is booted once; each request then goes the way that symfony/runtime, or
 * public/index.php of older versions, has it go.
 *
 * @internal
 */
final class Application implements Warmable
{
    /** Who logs what was thrown, or reports it elsewhere, has 128 at most. */
    private const BEFORE_OTHERS = 1024;

    private readonly Project $project;
    private readonly Front $front;
    /** What answers requests; null: it is made for each. */
    private ?object $application = null;
    private ?KernelInterface $kernel = null;

    public function __construct(private readonly string $directory)
    {
        $this->project = new Project($directory);
        $this->front = $this->project->usesRuntime() ? new RuntimeFront($this->project) : new KernelFront($this->project);
    }

    public static function isIn(string $directory): bool
    {
        return Project::isIn($directory);
    }

    public function path(): string
    {
        return $this->directory;
    }

    public function workingDirectory(): string
    {
        return is_dir($this->project->publicDirectory()) ? $this->project->publicDirectory() : $this->directory;
    }

    public function publicDirectory(): string
    {
        return $this->project->publicDirectory();
    }

    public function check(): void
    {
        $vendor = $this->project->vendorDirectory();
        if (!is_file("$vendor/autoload.php")) {
            throw new UnusableApplication("$this->directory has no " . basename($vendor) . "/. Run: composer install -d $this->directory");
        }
        if (!$this->project->usesRuntime()) {
            return;
        }
        if (!is_file("$vendor/autoload_runtime.php")) {
            throw new UnusableApplication(
                "$vendor has no autoload_runtime.php: Composer's plugin symfony/runtime makes it. " .
                "Allow that plugin in composer.json and run: composer install -d $this->directory",
            );
        }
        if (isset($this->project->runtime()['autoload_template'])) {
            throw new UnusableApplication(
                "$this->directory/composer.json gives symfony/runtime a template of its own (\"autoload_template\"), so nobody knows how it boots. " .
                'Its scripts can be executed: --classic',
            );
        }
    }

    public function boot(): void
    {
        // those of the command that serves are none of its
        unset($_SERVER['argv'], $_SERVER['argc']);
        $this->application = $this->front->load();
        $kernel = $this->application;
        while ($kernel instanceof HttpCache) {
            $kernel = $kernel->getKernel();
        }
        if ($kernel instanceof KernelInterface) {
            $this->bootKernel($kernel);
        }
    }

    /**
     * Each request of PHP-FPM and each command of bin/console boots it.
     */
    public function mayBootTwice(): bool
    {
        return true;
    }

    public function handler(): Closure
    {
        return $this->front->answer($this->application);
    }

    public function describe(): string
    {
        return match (true) {
            $this->kernel !== null => 'Symfony ' . Kernel::VERSION . ", {$this->kernel->getEnvironment()} ($this->directory)",
            $this->application !== null => "Symfony Runtime ($this->directory)",
            default => "Symfony Runtime, made for each request ($this->directory)",
        };
    }

    public function advice(): ?string
    {
        return $this->kernel?->isDebug() === true ? 'Symfony runs in debug mode, which costs more than everything else. Set: APP_ENV=prod APP_DEBUG=0' : null;
    }

    public function safeguards(): DryRun\Safeguards
    {
        $events = $this->service('event_dispatcher');

        return $events instanceof EventDispatcherInterface ? new Safeguards($events) : new NoSafeguards();
    }

    public function settings(): Settings
    {
        return Settings::ofWarmableInFile("$this->directory/config/weft.php");
    }

    public function warmUpHooks(): WarmUpHooks
    {
        $events = $this->service('event_dispatcher');
        if ($this->kernel === null || !$events instanceof EventDispatcherInterface) {
            throw new UnusableApplication('Weft knows how to warm a kernel of Symfony that is made once');
        }
        if ($this->kernel->isDebug()) {
            throw new UnusableApplication('in debug mode Symfony notes what each request does');
        }

        return new WarmUpHooks($this->kernel->getContainer(), $events, new Safeguards($events), $this->settings()->pages);
    }

    /**
     * GET routes that need no parameters, on any host, but for those of Symfony's own tools.
     */
    public function pages(): array
    {
        $router = $this->service('router');
        if (!$router instanceof RouterInterface) {
            return ['/'];
        }
        $pages = [];
        foreach ($router->getRouteCollection() as $name => $route) {
            $page = self::isPage($route) ? self::pathTo($router, $name) : '/_';
            if (!str_starts_with($page, '/_')) {
                $pages[] = $page;
            }
        }

        return array_values(array_unique($pages));
    }

    private static function isPage(Route $route): bool
    {
        /** @var list<string> $variables */
        $variables = $route->compile()->getVariables();
        $needed = array_diff($variables, array_keys($route->getDefaults()));

        return $needed === [] && $route->getHost() === '' && ($route->getMethods() === [] || in_array('GET', $route->getMethods(), true));
    }

    private static function pathTo(RouterInterface $router, string $name): string
    {
        try {
            return $router->generate($name);
        } catch (ExceptionInterface) {
            // its defaults are none that it would accept
            return '/_';
        }
    }

    /**
     * It may have a cache in front of it, which its handle() uses only as long as it has not booted.
     */
    private function bootKernel(KernelInterface $kernel): void
    {
        $this->kernel = $kernel;
        $this->preload($kernel);
        $kernel->boot();
        $cache = $kernel === $this->application ? $this->service('http_cache') : null;
        if ($cache instanceof HttpKernelInterface) {
            $this->application = $cache;
        }
        // what handle() fetches first, in each request
        $this->service('http_kernel');
        $events = $this->service('event_dispatcher');
        if ($events instanceof EventDispatcherInterface) {
            RouteNaming::listen($events);
            self::forgiveClients($events);
        }
    }

    /**
     * That a client was refused its WebSocket, or has closed it, is no failure: anybody could fill the log. It has its answer.
     */
    private static function forgiveClients(EventDispatcherInterface $events): void
    {
        $events->addListener(KernelEvents::EXCEPTION, static function (ExceptionEvent $event): void {
            $error = $event->getThrowable();
            if ($error instanceof UpgradeRefused || $error instanceof WebSocketClosed) {
                $event->setResponse(new Response());
            }
        }, self::BEFORE_OTHERS);
    }

    /**
     * What the container is made of, by the file that Symfony writes for opcache.preload, and the templates that Twig has
     * compiled. Requests would load these one by one, each for itself: no autoloader does it. In debug mode both may yet be
     * made anew.
     */
    private function preload(KernelInterface $kernel): void
    {
        if (!$kernel instanceof Kernel || $kernel->isDebug()) {
            return;
        }
        $directory = addcslashes($kernel->getBuildDir(), '*?[\\');
        $files = glob("$directory/*.preload.php") ?: [];
        if (count($files) === 1) {
            self::load($files[0]);
        }
        if (class_exists(Template::class)) {
            array_map(self::load(...), glob("$directory/twig/*/*.php") ?: []);
        }
    }

    /**
     * In a scope of its own.
     */
    private static function load(string $file): void
    {
        require $file;
    }

    private function service(string $name): ?object
    {
        $container = $this->kernel?->getContainer();

        return $container?->has($name) === true ? $container->get($name) : null;
    }
}
