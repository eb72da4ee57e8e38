<?php

declare(strict_types=1);

namespace Weft\ExtensionTests\Sweep;

use Stringable;

/** What becomes text only after others had their turn. */
final class SlowText implements Stringable
{
    public function __construct(private readonly string $text)
    {
    }

    public function __toString(): string
    {
        usleep(1);

        return $this->text;
    }
}
