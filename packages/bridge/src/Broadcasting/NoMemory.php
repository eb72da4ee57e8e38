<?php

declare(strict_types=1);

namespace Weft\Broadcasting;

/**
 * Where nothing is kept: who subscribes to a channel with a cache is told that there is no event.
 *
 * @internal
 */
final class NoMemory implements Memory
{
    public function keep(string $room, string $message): void
    {
    }

    public function last(string $room): ?string
    {
        return null;
    }
}
