<?php

declare(strict_types=1);

namespace Weft\Bridge;

use RuntimeException;

/**
 * Why nothing is warmed. The message is for the line that the server prints at its start.
 *
 * @internal
 */
final class StaysCold extends RuntimeException
{
}
