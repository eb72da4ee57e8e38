<?php

declare(strict_types=1);

namespace Weft\Bridge\Symfony;

use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\HttpKernelInterface;
use Symfony\Component\HttpKernel\TerminableInterface;

use function Weft\Http\name_route;

/**
 * A kernel whose requests are counted by their route.
 *
 * @internal
 */
final class RouteNaming implements HttpKernelInterface, TerminableInterface
{
    public function __construct(private readonly HttpKernelInterface $kernel)
    {
    }

    public function handle(Request $request, int $type = self::MAIN_REQUEST, bool $catch = true): Response
    {
        $response = $this->kernel->handle($request, $type, $catch);
        $route = $request->attributes->get('_route');
        if (is_string($route)) {
            name_route($route);
        }

        return $response;
    }

    public function terminate(Request $request, Response $response): void
    {
        if ($this->kernel instanceof TerminableInterface) {
            $this->kernel->terminate($request, $response);
        }
    }
}
