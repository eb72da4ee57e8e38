<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Policies;

use Illuminate\Contracts\Auth\Authenticatable;

final class ThingPolicy
{
    public function see(Authenticatable $user): bool
    {
        return true;
    }
}
