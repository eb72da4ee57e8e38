<?php

declare(strict_types=1);

namespace Weft\Broadcasting;

use JsonException;
use stdClass;

/**
 * The Pusher protocol, version 7: what a client says, and what it is answered. Nothing is kept here from one message to the
 * next: what must be is in the socket's state and in its rooms.
 *
 * @internal
 */
final class Protocol
{
    /** Of versions 5 to 7 the messages are the same. */
    private const OLDEST = 5;
    private const NEWEST = 7;
    private const DEEPEST = 64;
    public const LONGEST_EVENT = 200;
    public const LONGEST_USER = 128;
    private const TOO_LARGE = 1009;

    public function __construct(
        private readonly Apps $apps,
        private readonly Rooms $rooms,
        private readonly Memory $memory,
    ) {
    }

    /**
     * @param ?string $version as the client says it
     */
    public function open(Socket $socket, string $key, ?string $origin, ?string $version): bool
    {
        try {
            $app = $this->apps->byKey($key) ?? throw new ProtocolError(ProtocolError::UNKNOWN_APP, 'Application does not exist', true);
            self::checkVersion($version);
            if (!$app->allowsOrigin($origin)) {
                throw new ProtocolError(ProtocolError::UNAUTHORIZED, 'Origin not allowed', true);
            }
            $this->count($app, $socket);
        } catch (ProtocolError $error) {
            self::tell($socket, $error);

            return false;
        }
        $socket->setState((new Session($key))->write());
        $socket->send(Messages::established($socket->id(), $app->activityTimeout));

        return true;
    }

    public function message(Socket $socket, string $text, int $now): void
    {
        $session = Session::read($socket->state());
        try {
            $app = $this->apps->byKey($session->key) ?? throw new ProtocolError(ProtocolError::UNKNOWN_APP, 'Application does not exist', true);
            if (strlen($text) > $app->maxMessageSize) {
                $socket->close(self::TOO_LARGE, "A message may have $app->maxMessageSize bytes");
                return;
            }
            self::checkRate($app, $session, $now);
            $this->handle($app, $socket, $session, $text);
        } catch (ProtocolError $error) {
            self::tell($socket, $error);
        }
        $socket->setState($session->write());
    }

    /**
     * No binary message means anything.
     */
    public function binary(Socket $socket): void
    {
        $socket->close(1003, 'No binary message means anything here');
    }

    private function handle(App $app, Socket $socket, Session $session, string $text): void
    {
        $message = self::decode($text);
        $event = $message['event'] ?? null;
        if (!is_string($event) || strlen($event) > self::LONGEST_EVENT) {
            throw self::invalid();
        }
        try {
            match (true) {
                $event === 'pusher:ping' => $socket->send(Messages::PONG),
                $event === 'pusher:pong' => null,
                $event === 'pusher:subscribe' => $this->subscribe($app, $socket, $session, self::data($message)),
                $event === 'pusher:unsubscribe' => $this->unsubscribe($app, $socket, $session, self::data($message)),
                $event === 'pusher:signin' => $this->signIn($app, $socket, $session, self::data($message)),
                str_starts_with($event, 'client-') => $this->clientEvent($app, $socket, $session, $event, $message),
                default => throw self::invalid(),
            };
        } catch (JsonException) {
            throw self::invalid(); // 1e999 can be read, and not be written
        }
    }

    /* --- connections --- */

    private static function checkVersion(?string $version): void
    {
        if ($version !== null && (preg_match('/^\d{1,3}\z/', $version) !== 1 || $version < self::OLDEST || $version > self::NEWEST)) {
            throw new ProtocolError(ProtocolError::UNSUPPORTED_VERSION, 'Unsupported protocol version', true);
        }
    }

    /** Who comes is counted first: of two that come at once none slips through. */
    private function count(App $app, Socket $socket): void
    {
        $room = $app->connectionsRoom();
        $socket->subscribe($room);
        if ($app->maxConnections !== null && $this->rooms->sockets($room) > $app->maxConnections) {
            throw new ProtocolError(ProtocolError::OVER_CAPACITY, 'Over capacity', true);
        }
    }

    private static function checkRate(App $app, Session $session, int $now): void
    {
        if ($app->rateLimit !== null && !$session->counts($app->rateLimit, $now)) {
            throw new ProtocolError(ProtocolError::CLIENT_EVENT, 'Rate limit exceeded', $app->rateLimit->closes);
        }
    }

    /* --- channels --- */

    /**
     * @param array<array-key, mixed> $data
     */
    private function subscribe(App $app, Socket $socket, Session $session, array $data): void
    {
        $channel = self::channel($data);
        $auth = self::optional($data, 'auth') ?? '';
        $channelData = self::optional($data, 'channel_data');
        if ($channel->needsAuth() && !Signature::allowsChannel($app, $auth, $socket->id(), $channel, $channelData)) {
            throw new ProtocolError(ProtocolError::UNAUTHORIZED, "The signature for $channel->name is not valid");
        }
        if ($channel->isOfUser() && $channel->name !== Channel::OF_USER . $session->user) {
            throw new ProtocolError(ProtocolError::UNAUTHORIZED, "$channel->name is for that user, after pusher:signin");
        }
        if ($channel->isPresence()) {
            $this->join($app, $socket, $session, $channel, $channelData);
        } else {
            $socket->subscribe($app->room($channel->name));
            $socket->send(Messages::subscribed($channel));
        }
        if ($channel->isCache()) {
            $socket->send($this->memory->last($app->room($channel->name)) ?? Messages::cacheMiss($channel));
        }
    }

    private function join(App $app, Socket $socket, Session $session, Channel $channel, ?string $channelData): void
    {
        [$member, $info] = self::member($session, $channelData);
        $room = $app->room($channel->name);
        $former = $session->members[$channel->name] ?? null;
        if ($former !== null && $former !== $member) {
            $this->leave($app, $socket, $session, $channel);
        }
        $others = $socket->rooms();
        $socket->subscribe($app->userRoom($member)); // first: who can't be ended as that user is not let in
        try {
            $socket->subscribe($room, $member, $info, Messages::memberAdded($channel, $member, $info), Messages::memberRemoved($channel, $member));
        } catch (ProtocolError $error) {
            if (!in_array($app->userRoom($member), $others, true)) {
                $socket->unsubscribe($app->userRoom($member));
            }
            throw $error;
        }
        $session->members[$channel->name] = $member;
        $members = $this->rooms->members($room);
        $socket->send(Messages::subscribedToPresence($channel, $members));
        $this->catchUp($socket, $channel, $members, $room);
    }

    /**
     * Who has come or gone since the list was made may have been announced before the client had the list.
     *
     * @param array<array-key, string> $known
     */
    private function catchUp(Socket $socket, Channel $channel, array $known, string $room): void
    {
        $members = $this->rooms->members($room);
        foreach (array_diff_key($members, $known) as $member => $info) {
            $socket->send(Messages::memberAdded($channel, (string) $member, $info));
        }
        foreach (array_keys(array_diff_key($known, $members)) as $member) {
            $socket->send(Messages::memberRemoved($channel, (string) $member));
        }
    }

    /**
     * @param array<array-key, mixed> $data
     */
    private function unsubscribe(App $app, Socket $socket, Session $session, array $data): void
    {
        $this->leave($app, $socket, $session, self::channel($data));
    }

    private function leave(App $app, Socket $socket, Session $session, Channel $channel): void
    {
        $socket->unsubscribe($app->room($channel->name));
        $member = $session->members[$channel->name] ?? null;
        unset($session->members[$channel->name]);
        if ($member !== null && !$session->is($member)) {
            $socket->unsubscribe($app->userRoom($member));
        }
    }

    /**
     * Who a socket is in a presence channel: what the application has signed, else who has signed in.
     *
     * @return array{string, string} an id, and JSON about it
     */
    private static function member(Session $session, ?string $channelData): array
    {
        if (($channelData === null || $channelData === '') && $session->user !== null) {
            return [$session->user, $session->userInfo];
        }
        $data = self::decode($channelData ?? '');

        return [self::userId($data['user_id'] ?? null), Messages::json($data['user_info'] ?? null)];
    }

    /* --- users --- */

    /**
     * @param array<array-key, mixed> $data
     */
    private function signIn(App $app, Socket $socket, Session $session, array $data): void
    {
        $userData = self::required($data, 'user_data');
        if (!Signature::allowsUser($app, self::required($data, 'auth'), $socket->id(), $userData)) {
            throw new ProtocolError(ProtocolError::UNAUTHORIZED, 'The signature of the user is not valid', true);
        }
        $about = self::decode($userData);
        $user = self::userId($about['id'] ?? null);
        if ($session->user !== null && $session->user !== $user) {
            throw new ProtocolError(ProtocolError::UNAUTHORIZED, 'This connection is of another user', true);
        }
        $info = Messages::json($about['user_info'] ?? null);
        $socket->subscribe($app->userRoom($user)); // first: who can't be ended as that user is not signed in
        $session->user = $user;
        $session->userInfo = $info;
        $socket->send(Messages::signedIn($userData));
    }

    private static function userId(mixed $id): string
    {
        $id = is_int($id) ? (string) $id : $id;
        if (!is_string($id) || $id === '' || strlen($id) > self::LONGEST_USER) {
            throw self::invalid();
        }

        return $id;
    }

    /* --- what clients send to each other --- */

    /**
     * @param array<array-key, mixed> $message
     */
    private function clientEvent(App $app, Socket $socket, Session $session, string $event, array $message): void
    {
        $channel = self::channel($message);
        if (!$app->clientEvents) {
            throw new ProtocolError(ProtocolError::CLIENT_EVENT, 'The app does not have client messaging enabled.');
        }
        if (!$channel->takesClientEvents()) {
            throw new ProtocolError(ProtocolError::CLIENT_EVENT, 'Client events are for private and presence channels.');
        }
        $room = $app->room($channel->name);
        if (!in_array($room, $socket->rooms(), true)) {
            throw new ProtocolError(ProtocolError::UNAUTHORIZED, 'The client is not a member of the specified channel.');
        }
        $this->rooms->publish(
            $room,
            Messages::published($channel, $event, $message['data'] ?? null, $session->members[$channel->name] ?? null),
            $socket->id(),
        );
    }

    /* --- what they say, looked at --- */

    /**
     * @return array<array-key, mixed>
     */
    private static function decode(string $text): array
    {
        try {
            // objects stay objects: an empty one is no list
            $value = json_decode($text, false, self::DEEPEST, JSON_THROW_ON_ERROR);
        } catch (JsonException) {
            throw self::invalid();
        }

        return $value instanceof stdClass ? get_object_vars($value) : throw self::invalid();
    }

    /**
     * Of an event: JSON, or JSON in a string.
     *
     * @param array<array-key, mixed> $message
     * @return array<array-key, mixed>
     */
    private static function data(array $message): array
    {
        $data = $message['data'] ?? null;
        if ($data instanceof stdClass) {
            return get_object_vars($data);
        }

        return is_string($data) ? self::decode($data) : throw self::invalid();
    }

    /**
     * @param array<array-key, mixed> $data
     */
    private static function channel(array $data): Channel
    {
        return Channel::named(self::required($data, 'channel')) ?? throw new ProtocolError(
            ProtocolError::INVALID_MESSAGE,
            'A channel\'s name has at most ' . Channel::LONGEST . ' letters, digits and signs of _-=@,.;',
        );
    }

    /**
     * @param array<array-key, mixed> $data
     */
    private static function required(array $data, string $name): string
    {
        return self::optional($data, $name) ?? throw self::invalid();
    }

    /**
     * @param array<array-key, mixed> $data
     */
    private static function optional(array $data, string $name): ?string
    {
        $value = $data[$name] ?? null;

        return $value === null || is_string($value) ? $value : throw self::invalid();
    }

    private static function invalid(): ProtocolError
    {
        return new ProtocolError(ProtocolError::INVALID_MESSAGE, 'Invalid message format');
    }

    private static function tell(Socket $socket, ProtocolError $error): void
    {
        $socket->send(Messages::error($error));
        if ($error->closes) {
            $socket->close($error->getCode(), $error->getMessage());
        }
    }
}
