<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe;

use RuntimeException;

/** What a server has done wrong. */
final class Fault extends RuntimeException
{
    public function __construct(string $what, public readonly Kind $kind = Kind::Failed)
    {
        parent::__construct($what);
    }
}
