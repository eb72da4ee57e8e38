<?php

declare(strict_types=1);

namespace Weft\Bridge\Symfony;

use Symfony\Component\EventDispatcher\EventDispatcherInterface;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Event\RequestEvent;
use Symfony\Component\HttpKernel\HttpKernelInterface;
use Symfony\Component\HttpKernel\KernelEvents;
use Symfony\Component\HttpKernel\TerminableInterface;

use function Weft\Http\name_route;

/**
 * A kernel whose requests are counted by their route. Where the kernel is there at the boot, a listener names it as soon
 * as it is known, so that what fails, or takes too long, has its name as well; any other is named by its answer.
 *
 * @internal
 */
final class RouteNaming implements HttpKernelInterface, TerminableInterface
{
    /** Directly behind Symfony's router, which has 32: a firewall may answer, and end the event. */
    private const BEHIND_ROUTER = 31;

    public function __construct(private readonly HttpKernelInterface $kernel)
    {
    }

    public static function listen(EventDispatcherInterface $events): void
    {
        $events->addListener(KernelEvents::REQUEST, static function (RequestEvent $event): void {
            if ($event->isMainRequest()) {
                self::name($event->getRequest());
            }
        }, self::BEHIND_ROUTER);
    }

    public function handle(Request $request, int $type = self::MAIN_REQUEST, bool $catch = true): Response
    {
        $response = $this->kernel->handle($request, $type, $catch);
        self::name($request);

        return $response;
    }

    private static function name(Request $request): void
    {
        $route = $request->attributes->get('_route');
        if (is_string($route)) {
            name_route($route);
        }
    }

    public function terminate(Request $request, Response $response): void
    {
        if ($this->kernel instanceof TerminableInterface) {
            $this->kernel->terminate($request, $response);
        }
    }
}
