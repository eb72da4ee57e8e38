<?php

declare(strict_types=1);

namespace App\Message;

/** Asks for an entry to be stamped, by whoever runs bin/console messenger:consume later. */
final class Stamp
{
    public function __construct(public readonly int $entry)
    {
    }
}
