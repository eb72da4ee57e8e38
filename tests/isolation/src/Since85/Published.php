<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Since85;

/** A static property that all read and only its class writes. */
final class Published
{
    /** @var list<string> */
    public private(set) static array $seen = ['booted'];

    public static function see(string $who): void
    {
        self::$seen[] = $who;
    }
}
