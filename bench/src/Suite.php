<?php

declare(strict_types=1);

namespace Weft\Bench;

interface Suite
{
    /** About how long it will take. */
    public function seconds(): float;

    public function run(): void;
}
