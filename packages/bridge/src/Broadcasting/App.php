<?php

declare(strict_types=1);

namespace Weft\Broadcasting;

/**
 * One application of the Pusher protocol: what config/reverb.php calls an app.
 *
 * @internal
 */
final class App
{
    /** Rooms of Weft's that are ours. A channel's name has no slash, so none is another's. */
    private const CHANNELS = 'pusher/';
    private const USERS = 'pusher-user/';
    private const CONNECTIONS = 'pusher-all/';
    /** A room's name has 200 bytes at most, and a channel's has its part of them. */
    private const LONGEST_ID = 24;

    /**
     * @param list<string> $allowedOrigins hosts, with * for anything
     * @param int $maxMessageSize bytes of a client's message
     * @param ?int $maxConnections null: any number
     * @param int $activityTimeout seconds of silence after which a client asks whether we are there
     * @param bool $clientEvents whether members of a channel may send to it
     */
    public function __construct(
        public readonly string $id,
        public readonly string $key,
        #[\SensitiveParameter]
        public readonly string $secret,
        public readonly array $allowedOrigins = ['*'],
        public readonly int $maxMessageSize = 10_000,
        public readonly ?int $maxConnections = null,
        public readonly int $activityTimeout = 30,
        public readonly bool $clientEvents = true,
        public readonly ?RateLimit $rateLimit = null,
    ) {
    }

    public function room(string $channel): string
    {
        return $this->prefix() . $channel;
    }

    /** Of the rooms of all channels. */
    public function prefix(): string
    {
        return self::CHANNELS . $this->shortId() . '/';
    }

    /** All sockets of one user, as far as they have said who that is. */
    public function userRoom(string $user): string
    {
        return self::USERS . $this->shortId() . '/' . $user;
    }

    /** All sockets. */
    public function connectionsRoom(): string
    {
        return self::CONNECTIONS . $this->shortId();
    }

    private function shortId(): string
    {
        $id = rawurlencode($this->id);

        return strlen($id) <= self::LONGEST_ID ? $id : substr(hash('sha256', $this->id), 0, self::LONGEST_ID);
    }

    public function allowsOrigin(?string $origin): bool
    {
        $host = $origin === null ? null : parse_url($origin, PHP_URL_HOST);
        foreach ($this->allowedOrigins as $allowed) {
            $pattern = '~^' . strtr(preg_quote($allowed, '~'), ['\*' => '.*']) . '\z~i';
            if ($allowed === '*' || (is_string($host) && preg_match($pattern, $host) === 1)) {
                return true;
            }
        }

        return false;
    }
}
