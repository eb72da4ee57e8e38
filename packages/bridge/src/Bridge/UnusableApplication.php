<?php

declare(strict_types=1);

namespace Weft\Bridge;

use RuntimeException;

/**
 * A path that can't be served. The message says what is wrong with it and what to do.
 */
final class UnusableApplication extends RuntimeException
{
}
