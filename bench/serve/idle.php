<?php

declare(strict_types=1);

use Weft\Http\WebSocket;

/** Has nothing to say to anybody. */
final class Silent
{
    public static function message(): void
    {
    }
}

// For bench/idle: a page, a stream of events that is silent after the first, and WebSockets of both ways.
return static function (): ?string {
    switch ($_SERVER['REQUEST_URI']) {
        case '/events':
            header('Content-Type: text/event-stream');
            echo "data: 1\n\n";
            ob_get_level() > 0 && ob_flush();
            flush();
            sleep(3600);

            return null;
        case '/handed-over':
            WebSocket::accept()->handOver('Silent::message');

            return null;
        case '/foreach':
            foreach (WebSocket::accept() as $message) {
            }

            return null;
        default:
            return 'hello';
    }
};
