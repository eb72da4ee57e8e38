<?php

declare(strict_types=1);

namespace Weft\Bridge\WarmUp;

use RuntimeException;

/**
 * Why nothing is warmed, or not a page. The message is for the line that the server prints at its start.
 *
 * @internal
 */
final class GivenUp extends RuntimeException
{
    /**
     * @param string $page whose fault it is; empty: that can't be said
     */
    public function __construct(string $message, public readonly string $page = '')
    {
        parent::__construct($message);
    }
}
