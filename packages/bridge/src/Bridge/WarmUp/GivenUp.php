<?php

declare(strict_types=1);

namespace Weft\Bridge\WarmUp;

use RuntimeException;

/**
 * Why nothing is warmed. The message is for the line that the server prints at its start.
 *
 * @internal
 */
final class GivenUp extends RuntimeException
{
}
