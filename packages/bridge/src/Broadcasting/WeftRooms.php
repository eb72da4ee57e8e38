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
    public function publish(string $room, string $message, ?string $except = null): void
    {
        WebSocket::publish($room, $message, false, $except);
    }

    public function members(string $room): array
    {
        return WebSocket::members($room);
    }

    public function count(string $prefix): array
    {
        return WebSocket::count($prefix);
    }

    public function closeAll(string $room, int $code, string $reason): void
    {
        WebSocket::closeAll($room, $code, $reason);
    }
}
