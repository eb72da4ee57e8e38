<?php

declare(strict_types=1);

namespace Weft\Bridge\Psr15;

use Closure;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\RequestHandlerInterface;
use Weft\Bridge\UnusableApplication;

/**
 * A PSR-15 request handler, as Slim's App is one, and how it answers the running request.
 *
 * @internal
 */
final class Handler
{
    private readonly Emitter $emitter;

    /**
     * @param Closure(): ServerRequestInterface $requests
     */
    private function __construct(
        private readonly RequestHandlerInterface $handler,
        private readonly Closure $requests,
    ) {
        $this->emitter = new Emitter();
    }

    /**
     * Null: that is something else.
     *
     * @throws UnusableApplication when the application lacks what it takes
     */
    public static function of(string $application, mixed $returned): ?self
    {
        return $returned instanceof RequestHandlerInterface ? new self($returned, Requests::fromGlobals($application)) : null;
    }

    public function answer(): void
    {
        $this->emitter->emit($this->handler->handle(($this->requests)()));
    }
}
