<?php

declare(strict_types=1);

namespace Weft\Bridge\Psr15;

use Closure;
use GuzzleHttp\Psr7\ServerRequest;
use Nyholm\Psr7\Factory\Psr17Factory;
use Nyholm\Psr7Server\ServerRequestCreator;
use Psr\Http\Message\ServerRequestInterface;
use Slim\Psr7\Factory\ServerRequestFactory;
use Weft\Bridge\UnusableApplication;

/**
 * Makes PSR-7 requests of PHP's superglobals, by whichever library the application has for that: the same that its
 * index.php would use under PHP-FPM. Those come first that leave a body where it is until somebody reads it.
 *
 * @internal
 */
final class Requests
{
    /** Further ones, as class and static method. */
    private const OTHERS = [
        ['Laminas\Diactoros\ServerRequestFactory', 'fromGlobals'],
        ['HttpSoft\ServerRequest\ServerRequestCreator', 'create'],
    ];

    /**
     * @return Closure(): ServerRequestInterface
     * @throws UnusableApplication when there is none
     */
    public static function fromGlobals(string $application): Closure
    {
        return match (true) {
            class_exists(ServerRequestCreator::class) && class_exists(Psr17Factory::class) => self::byNyholm(),
            class_exists(ServerRequest::class) => static fn (): ServerRequestInterface => ServerRequest::fromGlobals(),
            class_exists(ServerRequestFactory::class) => static fn (): ServerRequestInterface => ServerRequestFactory::createFromGlobals(),
            default => self::byAnother() ?? throw new UnusableApplication(
                "$application returned a PSR-15 request handler, but it has nothing that makes PSR-7 requests of PHP's superglobals. " .
                'Run: composer require nyholm/psr7 nyholm/psr7-server (guzzlehttp/psr7, slim/psr7 or laminas/laminas-diactoros will do, too)',
            ),
        };
    }

    /**
     * @return Closure(): ServerRequestInterface
     */
    private static function byNyholm(): Closure
    {
        $factory = new Psr17Factory();

        return (new ServerRequestCreator($factory, $factory, $factory, $factory))->fromGlobals(...);
    }

    /**
     * @return Closure(): ServerRequestInterface|null
     */
    private static function byAnother(): ?Closure
    {
        foreach (self::OTHERS as $method) {
            if (is_callable($method)) {
                /** @var callable(): ServerRequestInterface $method as its library promises */
                return $method(...);
            }
        }

        return null;
    }
}
