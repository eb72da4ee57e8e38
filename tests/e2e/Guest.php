<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use RuntimeException;

/**
 * A WebSocket of applications/rooms.php: it has code run there, and hears what comes of rooms.
 */
final class Guest
{
    public readonly int $worker;

    /** @var resource */
    private $stream;

    /** @var list<string> */
    private array $heard = [];

    /** @var list<string> */
    private array $answers = [];

    public function __construct(Server $server)
    {
        $stream = stream_socket_client(str_replace('http', 'tcp', $server->url));
        if ($stream === false) {
            throw new RuntimeException('No connection');
        }
        $this->stream = $stream;
        stream_set_timeout($stream, 20);
        fwrite($stream, "GET / HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            . "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n");
        do {
            $line = fgets($stream);
        } while ($line !== "\r\n" && $line !== false);
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
     * One in each worker.
     *
     * @return list<self>
     */
    public static function inEach(Server $server, int $workers): array
    {
        $guests = $all = [];
        for ($i = 0; $i < 500 && count($guests) < $workers; $i++) {
            $guest = $all[] = new self($server);
            $guests[$guest->worker] ??= $guest;
        }

        return array_values($guests);
    }

    /** Runs that, and what follows does not wait for its answer. */
    public function send(string $code): void
    {
        $length = strlen($code);
        fwrite($this->stream, "\x81" . ($length < 126 ? chr(0x80 | $length) : "\xfe" . pack('n', $length)) . "\0\0\0\0" . $code);
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
        fclose($this->stream);
    }

    private function take(): string
    {
        $frame = $this->frame();
        if (str_starts_with($frame, '= ')) {
            $this->answers[] = $frame;
        } elseif ($frame !== 'lost') {
            $this->heard[] = $frame;
        }

        return $frame;
    }

    private function frame(): string
    {
        $head = $this->bytes(2);
        if ($head === '') {
            return 'lost';
        }
        $length = ord($head[1]) & 0x7F;
        if ($length >= 126) {
            $bytes = $this->bytes($length === 126 ? 2 : 8);
            $length = $length === 126 ? ord($bytes[0]) << 8 | ord($bytes[1]) : (int) hexdec(bin2hex($bytes));
        }
        $data = $this->bytes($length);
        if ((ord($head[0]) & 0x0F) === 8) {
            return 'closed ' . (ord($data[0] ?? "\0") << 8 | ord($data[1] ?? "\0"));
        }

        return $data;
    }

    /** Less when the connection is lost. */
    private function bytes(int $length): string
    {
        for ($bytes = ''; strlen($bytes) < $length; $bytes .= $more) {
            $more = fread($this->stream, max(1, $length - strlen($bytes)));
            if ($more === false || $more === '') {
                return '';
            }
        }

        return $bytes;
    }
}
