<?php

declare(strict_types=1);

use Weft\Http\WebSocket;

/** Says each message back. */
final class EchoBack
{
    public static function message(WebSocket $socket, string $event, string $data): void
    {
        if ($event !== 'close') {
            $socket->send($data, $event === 'binary');
        }
    }
}

// What the cases ask: says all messages back, in the request that has accepted, or, at /handed-over, in a short one for each.
return static function (): void {
    $socket = WebSocket::accept();
    if (($_SERVER['REQUEST_URI'] ?? '') === '/handed-over') {
        $socket->handOver('EchoBack::message');

        return;
    }
    /** @var string $message */
    foreach ($socket as $kind => $message) {
        $socket->send($message, $kind === 'binary');
    }
};
