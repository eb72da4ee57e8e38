<?php

declare(strict_types=1);

namespace Sockets;

use DomainException;
use Symfony\Bundle\FrameworkBundle\FrameworkBundle;
use Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait;
use Symfony\Bundle\MonologBundle\MonologBundle;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Kernel as BaseKernel;
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;
use Weft\Http\WebSocket;

/** The src/Kernel.php of a Symfony application with a WebSocket, and with a page that fails. All that is thrown is in its log. */
final class Kernel extends BaseKernel
{
    use MicroKernelTrait;

    public function registerBundles(): iterable
    {
        return [new FrameworkBundle(), new MonologBundle()];
    }

    private function configureContainer(ContainerConfigurator $container): void
    {
        $container->extension('framework', ['secret' => 'a secret', 'http_method_override' => false, 'handle_all_throwables' => true, 'php_errors' => ['log' => true]]);
        $container->extension('monolog', ['handlers' => ['file' => ['type' => 'stream', 'path' => '%kernel.logs_dir%/all.log', 'level' => 'debug']]]);
    }

    private function configureRoutes(RoutingConfigurator $routes): void
    {
        $routes->add('socket', '/socket')->controller([self::class, 'socket']);
        $routes->add('page', '/page')->controller([self::class, 'page']);
        $routes->add('item', '/item/{id}')->controller([self::class, 'page']);
        $routes->add('fail', '/fail')->controller([self::class, 'fail']);
    }

    /** Says one message back. */
    public function socket(Request $request): Response
    {
        $socket = WebSocket::accept($request);
        $socket->send((string) $socket->receive());

        return new Response();
    }

    public function page(): Response
    {
        return new Response('page');
    }

    public function fail(): never
    {
        throw new DomainException('It went wrong on purpose');
    }
}
