<?php

declare(strict_types=1);

namespace Weft\PackageTests;

use Laravel\Fortify\Contracts\UpdatesUserProfileInformation;

final class Profile implements UpdatesUserProfileInformation
{
    /**
     * @param User $user
     * @param array<string, string> $input
     */
    public function update($user, array $input): void
    {
        Window::open();
        $user->forceFill(['name' => $input['name']])->save();
    }
}
