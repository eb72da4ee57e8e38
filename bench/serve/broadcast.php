<?php

declare(strict_types=1);

use Weft\Http\WebSocket;

/** Listens only. */
final class Listener
{
    public static function message(): void
    {
    }
}

// For bench/broadcast: whoever connects to /socket gets what is posted to /publish.
return static function (): ?string {
    if ($_SERVER['REQUEST_URI'] === '/publish') {
        WebSocket::publish('all', (string) file_get_contents('php://input'));

        return 'published';
    }
    $socket = WebSocket::accept();
    $socket->subscribe('all');
    $socket->handOver('Listener::message');

    return null;
};
