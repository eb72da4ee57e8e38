<?php

declare(strict_types=1);

namespace Weft\Broadcasting;

use Exception;

/**
 * Why a request to the HTTP API is refused: the status is its code.
 *
 * @internal
 */
final class ApiError extends Exception
{
    public function __construct(int $status, string $message)
    {
        parent::__construct($message, $status);
    }
}
