<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

/** While the container makes this, services are made of parts that the boot has named. */
final class Particular
{
    public function __construct(public readonly BornConnected $needed)
    {
    }
}
