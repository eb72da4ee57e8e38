<?php

declare(strict_types=1);

namespace Weft\Broadcasting;

use Exception;

/**
 * What a client is told when something can't be done, with Pusher's code.
 *
 * @internal
 */
final class ProtocolError extends Exception
{
    // up to 4099 a client does not come again, up to 4199 later, up to 4299 at once
    public const UNKNOWN_APP = 4001;
    public const UNSUPPORTED_VERSION = 4007;
    public const UNAUTHORIZED = 4009;
    public const OVER_CAPACITY = 4100;
    public const INVALID_MESSAGE = 4200;
    public const CLIENT_EVENT = 4301;

    /**
     * @param bool $closes the socket is of no use after that
     */
    public function __construct(int $code, string $message, public readonly bool $closes = false)
    {
        parent::__construct($message, $code);
    }
}
