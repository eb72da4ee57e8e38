<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe;

final class Verdict
{
    public function __construct(public readonly Kind $kind, public readonly string $why = '')
    {
    }

    public function isWrong(): bool
    {
        return $this->kind === Kind::Failed || $this->kind === Kind::Unimplemented;
    }
}
