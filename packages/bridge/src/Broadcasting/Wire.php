<?php

declare(strict_types=1);

namespace Weft\Broadcasting;

use ValueError;
use Weft\Http\WebSocket;
use Weft\Http\WebSocketException;

/**
 * A WebSocket of this server.
 *
 * @internal
 */
final class Wire implements Socket
{
    private const TRY_LATER = 1013;

    public function __construct(private readonly WebSocket $socket)
    {
    }

    public function id(): string
    {
        return $this->socket->id;
    }

    public function send(string $message): void
    {
        if (!$this->socket->trySend($message)) {
            // as one to which others publish: nothing waits for who doesn't read. Does nothing to one that is closed
            $this->socket->close(self::TRY_LATER, 'Too much waits for this client');
        }
    }

    public function close(int $code, string $reason): void
    {
        $this->socket->close($code, $reason);
    }

    public function subscribe(string $room, ?string $member = null, string $about = '', string $joined = '', string $left = ''): void
    {
        try {
            $this->socket->subscribe($room, $member, $about, $joined, $left);
        } catch (WebSocketException | ValueError $problem) {
            // it is in too many, or there is too much about the member
            throw new ProtocolError(ProtocolError::CLIENT_EVENT, $problem->getMessage());
        }
    }

    public function unsubscribe(string $room): void
    {
        $this->socket->unsubscribe($room);
    }

    public function rooms(): array
    {
        return $this->socket->rooms();
    }

    public function state(): string
    {
        return $this->socket->state();
    }

    public function setState(string $state): void
    {
        $this->socket->setState($state);
    }
}
