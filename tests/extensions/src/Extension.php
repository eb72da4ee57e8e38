<?php

declare(strict_types=1);

namespace Weft\ExtensionTests;

/** A module in a file of its own, and the package that brings it. */
final class Extension
{
    public function __construct(public readonly string $name, public readonly string $package, public readonly string $file)
    {
    }
}
