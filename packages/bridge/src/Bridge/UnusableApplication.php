<?php

declare(strict_types=1);

namespace Weft\Bridge;

use RuntimeException;

/**
 * A path that can't be served. The message says what is wrong with it and what to do.
 */
final class UnusableApplication extends RuntimeException
{
    public static function forbidden(string $path, string $what): self
    {
        return new self("$path can't be $what by the user that runs Weft. See whose it is: ls -ld $path");
    }
}
