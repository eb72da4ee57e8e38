<?php

declare(strict_types=1);

namespace App\Behaviour;

use Symfony\Component\Security\Core\Authentication\Token\TokenInterface;
use Symfony\Component\Security\Core\Authorization\Voter\Vote;
use Symfony\Component\Security\Core\Authorization\Voter\VoterInterface;

/** OWN: what has the visitor's name. */
final class OwnVoter implements VoterInterface
{
    public function vote(TokenInterface $token, mixed $subject, array $attributes, ?Vote $vote = null): int
    {
        if ($attributes !== ['OWN']) {
            return self::ACCESS_ABSTAIN;
        }

        return $token->getUserIdentifier() === $subject ? self::ACCESS_GRANTED : self::ACCESS_DENIED;
    }
}
