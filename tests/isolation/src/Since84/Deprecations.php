<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Since84;

use Deprecated;

/** Methods that say they should not be called, and count who does. */
final class Deprecations
{
    #[Deprecated(message: 'use another', since: '1.0')]
    public static function counted(string $by): string
    {
        static $calls = [];
        $calls[] = $by;

        return implode(',', $calls);
    }
}
