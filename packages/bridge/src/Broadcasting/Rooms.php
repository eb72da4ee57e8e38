<?php

declare(strict_types=1);

namespace Weft\Broadcasting;

/**
 * What the protocol needs of rooms, in all workers. {@see WeftRooms} are the real ones.
 *
 * @internal
 */
interface Rooms
{
    /**
     * @param ?string $except the id of a socket
     */
    public function publish(string $room, string $message, ?string $except = null): void;

    /**
     * @return array<array-key, string> what is kept about each member
     */
    public function members(string $room): array;

    /**
     * @return array<array-key, int> how many sockets are in each room whose name begins so
     */
    public function count(string $prefix): array;

    /** How many sockets are in this room. Other rooms are not looked at, however many there are. */
    public function sockets(string $room): int;

    public function closeAll(string $room, int $code, string $reason): void;
}
