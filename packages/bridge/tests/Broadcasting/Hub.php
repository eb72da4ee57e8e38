<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\Broadcasting;

use ValueError;
use Weft\Broadcasting\Rooms;

/**
 * Rooms of made-up sockets, in this process.
 */
final class Hub implements Rooms
{
    /** @var array<string, array<string, FakeSocket>> by room and id */
    private array $sockets = [];
    /** @var array<string, array<string, array{string, string, string}>> by room and socket: member, about, left */
    private array $members = [];
    private int $serial = 0;
    /** How often somebody has looked at all rooms. */
    public int $walks = 0;
    /** Called when somebody asks for members, after they were listed. */
    public ?\Closure $afterMembers = null;
    /** Called when something was published. */
    public ?\Closure $afterPublish = null;

    public function socket(): FakeSocket
    {
        return new FakeSocket($this, '4711.' . ++$this->serial);
    }

    private static function check(string $room): void
    {
        if ($room === '' || strlen($room) > 200) {
            throw new ValueError('must be the name of a room: 1 to 200 bytes');
        }
    }

    public function enter(FakeSocket $socket, string $room, ?string $member, string $about, string $joined, string $left): void
    {
        self::check($room);
        if (isset($this->sockets[$room][$socket->id()])) {
            return;
        }
        if ($member !== null && !array_key_exists($member, $this->members($room))) {
            $this->publish($room, $joined);
        }
        if ($member !== null) {
            $this->members[$room][$socket->id()] = [$member, $about, $left];
        }
        $this->sockets[$room][$socket->id()] = $socket;
    }

    public function leave(FakeSocket $socket, string $room): void
    {
        unset($this->sockets[$room][$socket->id()]);
        [$member, , $left] = $this->members[$room][$socket->id()] ?? [null, '', ''];
        unset($this->members[$room][$socket->id()]);
        if ($member !== null && !array_key_exists($member, $this->members($room))) {
            $this->publish($room, $left);
        }
    }

    /**
     * @return list<string>
     */
    public function roomsOf(FakeSocket $socket): array
    {
        return array_keys(array_filter($this->sockets, static fn (array $sockets): bool => isset($sockets[$socket->id()])));
    }

    public function publish(string $room, string $message, ?string $except = null): void
    {
        self::check($room);
        foreach ($this->sockets[$room] ?? [] as $id => $socket) {
            if ($id !== $except) {
                $socket->send($message);
            }
        }
        if ($this->afterPublish !== null) {
            [$call, $this->afterPublish] = [$this->afterPublish, null];
            $call();
        }
    }

    public function members(string $room): array
    {
        $members = array_column($this->members[$room] ?? [], 1, 0);
        if ($this->afterMembers !== null) {
            [$call, $this->afterMembers] = [$this->afterMembers, null];
            $call();
        }

        return $members;
    }

    public function count(string $prefix): array
    {
        $this->walks++;

        return array_filter(
            array_map(count(...), $this->sockets),
            static fn (int $count, string $room): bool => $count > 0 && str_starts_with($room, $prefix),
            ARRAY_FILTER_USE_BOTH,
        );
    }

    public function sockets(string $room): int
    {
        return count($this->sockets[$room] ?? []);
    }

    public function closeAll(string $room, int $code, string $reason): void
    {
        self::check($room);
        foreach ($this->sockets[$room] ?? [] as $socket) {
            $socket->close($code, $reason);
        }
    }
}
