<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\Broadcasting;

use Weft\Broadcasting\ProtocolError;
use Weft\Broadcasting\Socket;

/**
 * A socket that keeps what it is sent.
 */
final class FakeSocket implements Socket
{
    /** @var list<string> */
    private array $sent = [];
    /** @var ?array{int, string} */
    public ?array $closed = null;
    public int $mostRooms = 100;
    private string $state = '';

    public function __construct(private readonly Hub $hub, private readonly string $id)
    {
    }

    public function id(): string
    {
        return $this->id;
    }

    public function send(string $message): void
    {
        if ($this->closed === null) {
            $this->sent[] = $message;
        }
    }

    public function close(int $code, string $reason): void
    {
        $this->closed ??= [$code, $reason];
        foreach ($this->rooms() as $room) {
            $this->unsubscribe($room);
        }
    }

    public function subscribe(string $room, ?string $member = null, string $about = '', string $joined = '', string $left = ''): void
    {
        if (!in_array($room, $this->rooms(), true) && count($this->rooms()) >= $this->mostRooms) {
            throw new ProtocolError(ProtocolError::CLIENT_EVENT, 'It is in as many rooms as it may be in.');
        }
        $this->hub->enter($this, $room, $member, $about, $joined, $left);
    }

    public function unsubscribe(string $room): void
    {
        $this->hub->leave($this, $room);
    }

    public function rooms(): array
    {
        return $this->hub->roomsOf($this);
    }

    public function state(): string
    {
        return $this->state;
    }

    public function setState(string $state): void
    {
        $this->state = $state;
    }

    /**
     * What it was sent since this was asked last.
     *
     * @return list<string>
     */
    public function taken(): array
    {
        [$sent, $this->sent] = [$this->sent, []];

        return $sent;
    }
}
