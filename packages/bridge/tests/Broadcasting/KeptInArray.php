<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\Broadcasting;

use Weft\Broadcasting\Memory;

final class KeptInArray implements Memory
{
    /** @var array<string, string> */
    private array $kept = [];

    public function keep(string $room, string $message): void
    {
        $this->kept[$room] = $message;
    }

    public function last(string $room): ?string
    {
        return $this->kept[$room] ?? null;
    }
}
