<?php

declare(strict_types=1);

namespace Weft\Upstream;

/** How PHP runs a test. */
enum Mode: string
{
    /** Without the extension: what the others are compared with. */
    case Plain = 'plain';
    /** The script is a coroutine from its first line on. */
    case Loaded = 'loaded';
    /** So it is, and whenever it waits, another coroutine that wakes up every millisecond may run. */
    case Ticking = 'ticking';
    /** The other coroutine is another request: each turn of it takes all of the script's state away and back. */
    case Apart = 'apart';
    /** Besides, the script loses its turn at every tenth interrupt of the VM. */
    case Stressed = 'stressed';
    /** The script is a request in classic mode (ClassicSuite). */
    case Classic = 'classic';

    /** @return list<string> */
    public function directives(string $extension): array
    {
        return match ($this) {
            self::Plain, self::Classic => [],
            self::Loaded => ["extension=$extension", 'weft.test_coroutine=1'],
            self::Ticking => [...self::Loaded->directives($extension), 'weft.test_ticker=1'],
            self::Apart => [...self::Ticking->directives($extension), 'weft.test_snapshot=1'],
            self::Stressed => [...self::Apart->directives($extension), 'weft.stress=10'],
        };
    }

    /** @return list<self> those that are compared with the plain one */
    public static function others(): array
    {
        return array_values(array_filter(self::cases(), static fn (self $mode): bool => $mode !== self::Plain));
    }
}
