<?php

/** @generate-class-entries */

namespace Weft\Http;

/** What can't be done with a WebSocket, and why. */
class WebSocketException extends \RuntimeException
{
}

/** It is closed: nothing can be sent any more. Who does not catch it ends as by exit(). */
final class WebSocketClosed extends WebSocketException
{
}

/** The client's WebSocket was not accepted, and it has its answer. Who does not catch it ends as by exit(). */
class UpgradeRefused extends WebSocketException
{
}

/** The request asks for no WebSocket, or for another version. It has been answered with 426. */
final class UpgradeRequired extends UpgradeRefused
{
}

/**
 * A client's WebSocket (RFC 6455). It closes when the request that has accepted it ends, or when nothing refers to it
 * any more, unless it was handed over.
 *
 *     $socket = WebSocket::accept();
 *     foreach ($socket as $kind => $message) {
 *         $socket->send("You said: $message");
 *     }
 *
 * @strict-properties
 * @not-serializable
 */
final class WebSocket implements \IteratorAggregate
{
    /** "123456.17": a number of the worker's, and one of the socket's. */
    public readonly string $id;

    /** The subprotocol that was chosen; null without. */
    public readonly ?string $protocol;

    private function __construct() {}

    /**
     * Makes a WebSocket of the running request, and answers that. Before anything is printed.
     *
     * The request may be the framework's; it is not looked at. Protocols are names of subprotocols, the best first: when
     * there are some the client must ask for one of them. Origins are hosts whose pages may open it, as patterns of
     * fnmatch(); null: the request's own host. Who sends no Origin is no browser, and is let in.
     *
     * @throws UpgradeRequired when it was no request for a WebSocket; it was answered with 426
     * @throws UpgradeRefused when the client is refused: the key, origin or subprotocol is wrong, or there is no room; it was answered
     * @throws WebSocketException when there is nothing to accept, or it has been, or something was printed
     */
    public static function accept(mixed $request = null, array $protocols = [], ?array $origins = null): WebSocket {}

    /** Messages as they come, by kind: "text" or "binary". It ends when the socket is closed. */
    public function getIterator(): \Iterator {}

    /**
     * The next message. Null: the socket is closed.
     *
     * @throws WebSocketException when another coroutine waits for it already, or the socket was handed over
     */
    public function receive(): ?string {}

    /**
     * Waits while the client takes too little of what was sent before (weft.ws_buffer).
     *
     * @throws WebSocketClosed
     * @throws WebSocketException when a text is not valid UTF-8
     */
    public function send(string $message, bool $binary = false): void {}

    /** The same, but never waits. False: there is no room for it now, or the socket is closed. */
    public function trySend(string $message, bool $binary = false): bool {}

    /** At most 125 bytes. Weft sends pings of its own (weft.ws_ping). */
    public function ping(string $data = ''): void {}

    /**
     * Begins to close it. Nothing when it is closed already. Codes are 1000 to 1003, 1007 to 1014, and an application's
     * own from 3000 to 4999; a reason has at most 123 bytes.
     */
    public function close(int $code = 1000, string $reason = ''): void {}

    public function isOpen(): bool {}

    /** Why it was closed: the code of who did, 1005 when the client gave none, 1006 when it just went away. Null: it is not. */
    public function closeCode(): ?int {}

    /**
     * From now on nothing waits in PHP: each message, and the end, calls a static method, in a request of its own, which
     * the application's limits hold for. They come one after another. The request that has accepted the socket may end.
     *
     * The method, "Class::method", is called with this socket, "text", "binary" or "close", and the message, or the
     * client's reason to close. State is bytes that are kept with the socket. The restart code is what it is closed with
     * when the server is reloaded or stopped.
     */
    public function handOver(string $method, string $state = '', int $restartCode = 1012): void {}

    /**
     * From now on this message, a text, is answered with that one, and no PHP hears of it: for the pings of a protocol
     * above. There is one such pair for a socket; both have at most 1024 bytes.
     */
    public function answer(string $message, string $answer): void {}

    public function state(): string {}

    public function setState(string $state): void {}

    /**
     * In this room from now on: what is published there is sent to this socket. Nothing when it is there already.
     *
     * With a member, a name of the application's, the room knows who is in it. When this is the member's first socket
     * there, in all workers, the others there are sent $joined, and when the last has left, $left; an empty text is not
     * sent. $about is what members() says of it. This waits until all workers know.
     *
     * @throws WebSocketClosed
     * @throws WebSocketException when the socket is in as many rooms as it may be (weft.ws_rooms)
     * @throws \ValueError when a name or a text is longer than it may be, or no UTF-8, or there is a text without a member
     */
    public function subscribe(string $room, ?string $member = null, string $about = '', string $joined = '', string $left = ''): void {}

    /** Nothing when it is not there. */
    public function unsubscribe(string $room): void {}

    /**
     * Where this socket is.
     *
     * @phpstan-return list<string>
     */
    public function rooms(): array {}

    /**
     * Sends a message to all sockets in these rooms, in all workers, once to each. Not to the one with the id $except.
     * When this returns, all sockets get it before anything that is published later, by whatever worker. Waits while too
     * much is on its way (weft.bus_buffer). A client that reads too slowly is closed, with 1013.
     *
     * @phpstan-param string|list<string> $rooms
     * @throws WebSocketException when the message is larger than weft.bus_buffer, or this process is no worker
     */
    public static function publish(string|array $rooms, string $message, bool $binary = false, ?string $except = null): void {}

    /**
     * Members of a room, in all workers, and what is kept with each. The eldest first.
     *
     * @phpstan-return array<string, string>
     */
    public static function members(string $room): array {}

    /**
     * How many sockets are in each room whose name begins so, in all workers. Asks them, and takes a second at most: a
     * worker that has not answered by then is left out. Each walks through all of its rooms; not when the name is exact:
     * then it is of that one room.
     *
     * @phpstan-return array<string, int>
     */
    public static function count(string $prefix = '', bool $exact = false): array {}

    /** Closes all sockets in this room, in all workers, with a code and a reason as for close(). */
    public static function closeAll(string $room, int $code, string $reason = ''): void {}
}
