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
     * @param string $value the name of the one that has misled it, as the audit tells it; empty: not known
     */
    public function __construct(string $message, public readonly string $page = '', public readonly string $value = '')
    {
        parent::__construct($message);
    }
}
