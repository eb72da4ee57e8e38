<?php

declare(strict_types=1);

namespace Weft\Broadcasting;

use Weft\Http\WebSocket;

/**
 * The rooms of this server.
 *
 * @internal
 */
final class WeftRooms implements Rooms
{
    /** What this server calls sockets; other servers' ids, which clients may have still, can be longer. */
    private const ID = '/^(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,17})\z/';

    public function publish(string $room, string $message, ?string $except = null): void
    {
        WebSocket::publish($room, $message, false, $except !== null && preg_match(self::ID, $except) === 1 ? $except : null);
    }

    public function members(string $room): array
    {
        return WebSocket::members($room);
    }

    public function count(string $prefix): array
    {
        return WebSocket::count($prefix);
    }

    public function sockets(string $room): int
    {
        return WebSocket::count($room, exact: true)[$room] ?? 0;
    }

    public function closeAll(string $room, int $code, string $reason): void
    {
        WebSocket::closeAll($room, $code, $reason);
    }
}
