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
     * @param list<string> $values names of those that have misled it, as the audit tells them; empty: not known
     */
    public function __construct(string $message, public readonly string $page = '', public readonly array $values = [])
    {
        parent::__construct($message);
    }
}
