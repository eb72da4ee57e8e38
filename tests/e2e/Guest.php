<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use RuntimeException;

/**
 * A WebSocket of applications/rooms.php: it has code run there, and hears what comes of rooms.
 */
final class Guest
{
    /** 0: it was lost before it was served. */
    public readonly int $worker;

    private readonly WebSocketClient $socket;

    /** @var list<string> */
    private array $heard = [];

    /** @var list<string> */
    private array $answers = [];

    public function __construct(Server $server)
    {
        $this->socket = new WebSocketClient($server->url);
        $worker = $this->run('return getmypid();');
        $this->worker = is_int($worker) ? $worker : 0;
    }

    /** One in this worker. */
    public static function in(Server $server, int $worker): self
    {
        for ($i = 0; $i < 500; $i++) {
            $guest = new self($server);
            if ($guest->worker === $worker) {
                return $guest;
            }
            $others[] = $guest;
        }
        throw new RuntimeException("Worker $worker takes nobody");
    }

    /**
     * One in each worker, be it that one is about to start.
     *
     * @return list<self>
     */
    public static function inEach(Server $server, int $workers): array
    {
        $guests = $all = [];
        for ($i = 0; $i < 500 && count($guests) < $workers; $i++) {
            usleep($i < 50 ? 0 : 10_000);
            $guest = $all[] = new self($server);
            if ($guest->worker !== 0) {
                $guests[$guest->worker] ??= $guest;
            }
        }

        return count($guests) === $workers ? array_values($guests) : throw new RuntimeException('A worker takes nobody');
    }

    /** Runs that, and what follows does not wait for its answer. */
    public function send(string $code): void
    {
        $this->socket->send($code);
    }

    public function answer(): mixed
    {
        while ($this->answers === []) {
            $frame = $this->take();
            if ($frame === 'lost' || str_starts_with($frame, 'closed')) {
                return $frame;
            }
        }

        return json_decode(substr((string) array_shift($this->answers), 2), true, flags: JSON_THROW_ON_ERROR);
    }

    public function run(string $code): mixed
    {
        $this->send($code);

        return $this->answer();
    }

    /**
     * The next so many messages of rooms.
     *
     * @return list<string>
     */
    public function hear(int $count): array
    {
        while (count($this->heard) < $count) {
            if ($this->take() === 'lost') {
                break;
            }
        }

        return array_splice($this->heard, 0, $count);
    }

    public function leave(): void
    {
        $this->socket->leave();
    }

    private function take(): string
    {
        $message = $this->socket->receive() ?? ($this->socket->code === null ? 'lost' : "closed {$this->socket->code}");
        if (str_starts_with($message, '= ')) {
            $this->answers[] = $message;
        } elseif ($message !== 'lost') {
            $this->heard[] = $message;
        }

        return $message;
    }
}
