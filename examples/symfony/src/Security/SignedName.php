<?php

declare(strict_types=1);

namespace App\Security;

use Symfony\Component\DependencyInjection\Attribute\Autowire;
use Symfony\Component\Security\Core\Exception\BadCredentialsException;
use Symfony\Component\Security\Http\AccessToken\AccessTokenHandlerInterface;
use Symfony\Component\Security\Http\Authenticator\Passport\Badge\UserBadge;

/** Takes a member's name, a dot and its signature by the application's secret. */
final class SignedName implements AccessTokenHandlerInterface
{
    public function __construct(#[Autowire('%kernel.secret%')] private readonly string $secret)
    {
    }

    public function getUserBadgeFrom(#[\SensitiveParameter] string $accessToken): UserBadge
    {
        [$name, $signature] = explode('.', $accessToken) + [1 => ''];
        if (!hash_equals(hash_hmac('sha256', $name, $this->secret), $signature)) {
            throw new BadCredentialsException('The signature is wrong.');
        }

        return new UserBadge($name);
    }
}
