<?php

declare(strict_types=1);

namespace Weft\Broadcasting;

/**
 * What the name of a channel says of it.
 *
 * @internal
 */
final class Channel
{
    /** As with Pusher. */
    public const LONGEST = 164;
    public const OF_USER = '#server-to-user-';
    private const NAME = '/^[-A-Za-z0-9_=@,.;]+\z/';

    private function __construct(public readonly string $name)
    {
    }

    /**
     * Null: no channel can be called that.
     */
    public static function named(string $name): ?self
    {
        $plain = str_starts_with($name, self::OF_USER) ? substr($name, strlen(self::OF_USER)) : $name;

        return strlen($name) <= self::LONGEST && preg_match(self::NAME, $plain) === 1 ? new self($name) : null;
    }

    public function isOfUser(): bool
    {
        return str_starts_with($this->name, self::OF_USER);
    }

    public function isPresence(): bool
    {
        return str_starts_with($this->name, 'presence-');
    }

    public function needsAuth(): bool
    {
        return str_starts_with($this->name, 'private-') || $this->isPresence();
    }

    public function isEncrypted(): bool
    {
        return str_starts_with($this->name, 'private-encrypted-');
    }

    /** Who subscribes is sent the last event. */
    public function isCache(): bool
    {
        return preg_match('/^(?:private-|private-encrypted-|presence-)?cache-/', $this->name) === 1;
    }

    /** Encrypted ones are for the server's events: what clients send has no key. */
    public function takesClientEvents(): bool
    {
        return $this->needsAuth() && !$this->isEncrypted();
    }
}
