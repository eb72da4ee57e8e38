<?php

declare(strict_types=1);

namespace Weft\Command;

use RuntimeException;

/**
 * The command was called in a way that can't work. The message says what was wrong and what to do.
 *
 * @internal
 */
final class UsageError extends RuntimeException
{
}
