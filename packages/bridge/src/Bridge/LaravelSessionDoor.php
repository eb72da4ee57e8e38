<?php

declare(strict_types=1);

namespace Weft\Bridge;

use Closure;
use Illuminate\Container\Container;
use Illuminate\Session\SessionManager;

/**
 * What the middleware that starts sessions holds in the base, in the place of the session manager: the first time that
 * it asks for the driver, it gets the one that lies ready if there is one, and from then on has the manager that the
 * request has. Nobody else sees this.
 *
 * @internal
 */
final class LaravelSessionDoor extends SessionManager
{
    /**
     * @param Closure(?string): mixed $open
     */
    public function __construct(Container $container, private readonly Closure $open)
    {
        parent::__construct($container);
    }

    public function driver($driver = null): mixed
    {
        return ($this->open)($driver);
    }
}
