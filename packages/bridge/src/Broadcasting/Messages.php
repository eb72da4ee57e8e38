<?php

declare(strict_types=1);

namespace Weft\Broadcasting;

/**
 * What the server says. The data of an event is JSON in a string, as a rule.
 *
 * @internal
 */
final class Messages
{
    /** As pusher-js writes it. Others may write it otherwise. */
    public const PING = '{"event":"pusher:ping","data":{}}';
    public const PONG = '{"event":"pusher:pong"}';
    private const FLAGS = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE | JSON_PRESERVE_ZERO_FRACTION | JSON_THROW_ON_ERROR;

    public static function established(string $socket, int $activityTimeout): string
    {
        return self::event('pusher:connection_established', self::json(['socket_id' => $socket, 'activity_timeout' => $activityTimeout]));
    }

    public static function error(ProtocolError $error): string
    {
        return self::json(['event' => 'pusher:error', 'data' => ['code' => $error->getCode(), 'message' => $error->getMessage()]]);
    }

    public static function subscribed(Channel $channel): string
    {
        return self::event('pusher_internal:subscription_succeeded', '{}', $channel->name);
    }

    /**
     * @param array<array-key, string> $members JSON about each
     */
    public static function subscribedToPresence(Channel $channel, array $members): string
    {
        $ids = array_map(strval(...), array_keys($members));
        $hash = implode(',', array_map(static fn (string $id, string $info): string => self::json($id) . ':' . $info, $ids, $members));
        $data = '{"presence":{"count":' . count($ids) . ',"ids":' . self::json($ids) . ',"hash":{' . $hash . '}}}';

        return self::event('pusher_internal:subscription_succeeded', $data, $channel->name);
    }

    /**
     * @param string $info JSON
     */
    public static function memberAdded(Channel $channel, string $member, string $info): string
    {
        return self::event('pusher_internal:member_added', '{"user_id":' . self::json($member) . ',"user_info":' . $info . '}', $channel->name);
    }

    public static function memberRemoved(Channel $channel, string $member): string
    {
        return self::event('pusher_internal:member_removed', self::json(['user_id' => $member]), $channel->name);
    }

    public static function cacheMiss(Channel $channel): string
    {
        return self::json(['event' => 'pusher:cache_miss', 'channel' => $channel->name]);
    }

    public static function signedIn(string $userData): string
    {
        return self::event('pusher:signin_success', self::json(['user_data' => $userData]));
    }

    /**
     * What somebody publishes.
     *
     * @param ?string $user who has sent it, when it was a member of a presence channel
     */
    public static function published(Channel $channel, string $event, mixed $data, ?string $user = null): string
    {
        return self::json(['event' => $event, 'data' => $data, 'channel' => $channel->name] + ($user === null ? [] : ['user_id' => $user]));
    }

    public static function json(mixed $value): string
    {
        return json_encode($value, self::FLAGS);
    }

    private static function event(string $event, string $data, ?string $channel = null): string
    {
        return self::json(['event' => $event, 'data' => $data] + ($channel === null ? [] : ['channel' => $channel]));
    }
}
