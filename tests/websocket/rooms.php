<?php

declare(strict_types=1);

use Weft\Http\WebSocket;

/** Takes what a client says, and says nothing. */
final class Silent
{
    public static function message(): void
    {
    }
}

// For tests/websocket/churn: /socket?room=NAME listens to a room and says when it does, what is posted to /publish?room=NAME goes there.
return static function (): string {
    $room = is_string($_GET['room'] ?? null) ? $_GET['room'] : '';
    if ($_SERVER['REQUEST_METHOD'] === 'POST') {
        WebSocket::publish($room, (string) file_get_contents('php://input'));

        return 'published';
    }
    $socket = WebSocket::accept();
    $socket->subscribe($room);
    $socket->send('listening');
    $socket->handOver('Silent::message');

    return '';
};
