<?php

declare(strict_types=1);

use Weft\Broadcasting\Broadcasting;
use Weft\Broadcasting\Configuration;
use Weft\Broadcasting\Memory;
use Weft\Http\Request;
use Weft\Http\Response;
use Weft\Http\WebSocket;
use Weft\Http\WebSocketException;

// Broadcasting, as Laravel's bridge has it. Nothing is kept for who comes later.
$app = ['driver' => 'reverb', 'app_id' => '7', 'key' => 'a-key', 'secret' => 'a-secret'];
$broadcasting = Broadcasting::serve(Configuration::of(null, ['default' => 'reverb', 'connections' => ['reverb' => $app]]), new class () implements Memory {
    public function keep(string $room, string $message): void
    {
    }

    public function last(string $room): ?string
    {
        return null;
    }
});

// What is attacked. Files come from the directory that --public names.
return static function (Request $request) use ($broadcasting): mixed {
    if ($broadcasting->answers()) {
        return null;
    }
    $text = static fn (string $name): string => is_string($request->query($name)) ? $request->query($name) : '';
    switch ($request->path()) {
        case '/hello':
            usleep(2000);

            return Response::text('hello ' . $text('n'));
        case '/form':
            return Response::text(md5($request->body()));
        case '/page':
            // more than the server buffers
            return Response::text(str_repeat('x', 1 << 20));
        case '/fatal':
            // no memory limit allows that, nor can it be caught
            return Response::text(str_repeat('x', PHP_INT_MAX >> 8));
        case '/memory':
            $taken = str_repeat('x', (int) $text('mb') << 20);
            usleep(100_000);

            return Response::text((string) strlen($taken));
        case '/log':
            error_log($text('text'));
            trigger_error($text('text'), E_USER_WARNING);

            return Response::text('logged');
        case '/socket':
            // says each message back, and many bytes to who asks for them
            $socket = WebSocket::accept();
            /** @var string $message */
            foreach ($socket as $kind => $message) {
                $socket->send($message === 'more' ? str_repeat('x', 100_000) : $message, $kind === 'binary');
            }

            return null;
        case '/rooms':
            // each message is a room
            $socket = WebSocket::accept();
            try {
                /** @var string $room */
                foreach ($socket as $room) {
                    $socket->subscribe($room);
                }
            } catch (WebSocketException) {
                $socket->close(1008);
            }

            return null;
        case '/header':
            return Response::text((string) count($_SERVER));
        default:
            return Response::text('nothing here', 404);
    }
};
