<?php

declare(strict_types=1);

namespace Weft\Broadcasting;

/**
 * The last event of each channel that is asked for it (cache-…).
 *
 * @internal
 */
interface Memory
{
    public function keep(string $room, string $message): void;

    public function last(string $room): ?string;
}
