<?php

declare(strict_types=1);

namespace Weft\Broadcasting;

/**
 * What is known of a socket besides its rooms. It is kept with it, in few bytes, from one message to the next.
 *
 * @internal
 */
final class Session
{
    /** Who has signed in, and JSON about him. */
    public ?string $user = null;
    public string $userInfo = 'null';
    /** @var array<array-key, string> as whom it is in which presence channel */
    public array $members = [];
    /** Of the rate limit: messages since when. */
    public int $messages = 0;
    public int $since = 0;

    public function __construct(public readonly string $key)
    {
    }

    public static function read(string $state): self
    {
        $values = json_decode($state, true);
        $values = is_array($values) ? $values : [];
        $session = new self(is_string($values['key'] ?? null) ? $values['key'] : '');
        $session->user = is_string($values['user'] ?? null) ? $values['user'] : null;
        $session->userInfo = is_string($values['info'] ?? null) ? $values['info'] : 'null';
        $session->members = array_filter(is_array($values['members'] ?? null) ? $values['members'] : [], is_string(...));
        $session->messages = is_int($values['messages'] ?? null) ? $values['messages'] : 0;
        $session->since = is_int($values['since'] ?? null) ? $values['since'] : 0;

        return $session;
    }

    public function write(): string
    {
        return Messages::json(array_filter([
            'key' => $this->key,
            'user' => $this->user,
            'info' => $this->user === null ? null : $this->userInfo,
            'members' => $this->members,
            'messages' => $this->messages,
            'since' => $this->since,
        ], static fn (mixed $value): bool => $value !== null && $value !== [] && $value !== 0));
    }

    /**
     * Whether any of what it said makes it a socket of this user.
     */
    public function is(string $user): bool
    {
        return $this->user === $user || in_array($user, $this->members, true);
    }

    /**
     * Counts one more. False: it was too many.
     */
    public function counts(RateLimit $limit, int $now): bool
    {
        if ($now >= $this->since + $limit->seconds) {
            $this->since = $now;
            $this->messages = 0;
        }
        if ($this->messages >= $limit->messages) {
            return false;
        }
        $this->messages++;

        return true;
    }
}
