<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use RuntimeException;

/**
 * A client of the Pusher protocol, as pusher-js is one.
 */
final class Subscriber
{
    public const APP = ['REVERB_APP_ID' => '7', 'REVERB_APP_KEY' => 'a-key', 'REVERB_APP_SECRET' => 'a-secret'];

    /** What the server calls it; empty: it was not let in. */
    public readonly string $id;

    /** The number of its worker. */
    public readonly string $worker;

    private readonly WebSocketClient $socket;

    /** @var list<string> what has come before it was asked for */
    private array $heard = [];

    /** @param list<string> $headers */
    public function __construct(Server $server, string $key = self::APP['REVERB_APP_KEY'], array $headers = [])
    {
        $this->socket = new WebSocketClient($server->url, "/app/$key?protocol=7&client=js&version=8.4.0", $headers);
        $first = $this->socket->receive() ?? '';
        $id = preg_match('/"socket_id\\\\":\\\\"([\d.]+)/', $first, $match) === 1 ? $match[1] : '';
        if ($id === '') {
            $this->heard[] = $first;
        }
        $this->id = $id;
        $this->worker = explode('.', $id)[0];
    }

    /**
     * One in each worker.
     *
     * @return list<self>
     */
    public static function inEach(Server $server, int $workers): array
    {
        $all = $each = [];
        for ($i = 0; $i < 500 && count($each) < $workers; $i++) {
            $one = $all[] = new self($server);
            if ($one->id !== '') {
                $each[$one->worker] ??= $one;
            }
        }

        return count($each) === $workers ? array_values($each) : throw new RuntimeException('A worker takes nobody');
    }

    /** @param array<string, mixed> $message */
    public function say(array $message): void
    {
        $this->socket->send(json_encode($message, JSON_THROW_ON_ERROR));
    }

    /**
     * @param array<mixed> $proof that it may, as /broadcasting/auth gives it
     * @return array<mixed> the answer
     */
    public function subscribe(string $channel, array $proof = []): array
    {
        $this->say(['event' => 'pusher:subscribe', 'data' => ['channel' => $channel] + array_intersect_key($proof, ['auth' => 0, 'channel_data' => 0])]);

        return $this->hear();
    }

    /** With a signature of the application's. */
    public function signIn(string $user): void
    {
        $data = json_encode(['id' => $user], JSON_THROW_ON_ERROR);
        $auth = self::APP['REVERB_APP_KEY'] . ':' . hash_hmac('sha256', "$this->id::user::$data", self::APP['REVERB_APP_SECRET']);
        $this->say(['event' => 'pusher:signin', 'data' => ['auth' => $auth, 'user_data' => $data]]);
    }

    /**
     * The next that it is told, with what is JSON in JSON in clear.
     *
     * @return array<mixed> ['closed' => code] when it was closed
     */
    public function hear(): array
    {
        $message = array_shift($this->heard) ?? $this->socket->receive();
        if ($message === null) {
            return ['closed' => $this->socket->code];
        }
        $message = json_decode($message, true, flags: JSON_THROW_ON_ERROR);
        $message = is_array($message) ? $message : [];
        if (is_string($message['data'] ?? null)) {
            $message['data'] = json_decode($message['data'], true) ?? $message['data'];
        }

        return $message;
    }

    public function leave(): void
    {
        $this->socket->leave();
    }
}
