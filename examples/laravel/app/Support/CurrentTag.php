<?php

declare(strict_types=1);

namespace App\Support;

/**
 * Two places where applications keep things "for this request" without a second thought: a property of a
 * singleton and a static property.
 */
final class CurrentTag
{
    public ?string $value = null;

    public static ?string $latest = null;
}
