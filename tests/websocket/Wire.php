<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe;

/** What frames go over: a connection, or a stream of HTTP/2 (RFC 8441). */
interface Wire
{
    /**
     * Asks for a WebSocket.
     *
     * @param array<string, string> $headers other ones than usual; '' leaves one out
     */
    public function open(string $path, array $headers): Opening;

    /** All of these bytes, in one piece where that can be said. A server that has heard enough may have closed by now. */
    public function send(string $bytes): void;

    /** What comes next; '': nothing in so many seconds, or it has ended. */
    public function read(float $patience): string;

    /** The server has ended it, in order or not. */
    public function hasEnded(): bool;

    /** It was cut, not closed. */
    public function wasCut(): bool;
}
