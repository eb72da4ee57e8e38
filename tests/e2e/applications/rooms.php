<?php

declare(strict_types=1);

// A request that waits for a file, if it names one, and publishes; or a WebSocket, each of whose messages is PHP code that
// is run with $socket. Its answer is what that returns, as JSON behind "= "; whatever else comes is of rooms.

use Weft\Http\WebSocket;
use Weft\Http\WebSocketClosed;

// JOINED: a Redis, or @ and a file that has its URL.
$redis = (string) getenv('JOINED');
if (str_starts_with($redis, '@')) {
    $redis = (string) file_get_contents(substr($redis, 1));
}
if ($redis !== '') {
    Weft\Http\join_machines($redis, 'rooms');
}

return static function (): string {
    if (!isset($_SERVER['HTTP_UPGRADE'])) {
        for ($i = 0; isset($_GET['file']) && is_string($_GET['file']) && !file_exists($_GET['file']) && $i < 1000; $i++) {
            usleep(10_000);
        }
        WebSocket::publish('room', 'of ' . getmypid());

        return (string) getmypid();
    }
    $socket = WebSocket::accept();
    foreach ($socket as $code) {
        try {
            $socket->send('= ' . json_encode(eval($code), JSON_THROW_ON_ERROR));
        } catch (WebSocketClosed) {
            break;
        } catch (Throwable $e) {
            $socket->send('= ' . json_encode($e->getMessage()));
        }
    }

    return '';
};
