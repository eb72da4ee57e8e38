<?php

declare(strict_types=1);

namespace Weft\PackageTests;

/** Stands in for the traits of packages that are missing. */
trait Nothing
{
}
