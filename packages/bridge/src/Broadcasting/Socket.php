<?php

declare(strict_types=1);

namespace Weft\Broadcasting;

/**
 * What the protocol needs of a WebSocket. {@see Wire} is the real one.
 *
 * @internal
 */
interface Socket
{
    public function id(): string;

    /**
     * Never waits: a client that reads nothing for so long that there is no room is closed.
     */
    public function send(string $message): void;

    public function close(int $code, string $reason): void;

    /**
     * With $member: the others there are sent $joined when it is the member's first socket, and $left after its last one.
     *
     * @throws ProtocolError when it is in as many rooms as a socket may be in
     */
    public function subscribe(string $room, ?string $member = null, string $about = '', string $joined = '', string $left = ''): void;

    public function unsubscribe(string $room): void;

    /**
     * Of this socket.
     *
     * @return list<string>
     */
    public function rooms(): array;

    /** Bytes that are kept with it. */
    public function state(): string;

    public function setState(string $state): void;
}
