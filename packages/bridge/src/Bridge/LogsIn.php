<?php

declare(strict_types=1);

namespace Weft\Bridge;

/**
 * A kind of application whose users Weft can log in without knowing their passwords.
 *
 * @internal
 */
interface LogsIn extends Application
{
    /**
     * Called inside the domain of a made-up request, before it: whoever asks for that page is this user, by the
     * application's own means.
     *
     * @param string $user their key, or "guard:key"
     * @throws UnusableApplication when there is no such user
     */
    public function logIn(string $user): void;
}
