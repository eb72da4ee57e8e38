<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe;

use RuntimeException;

/** A client of a room in which messages are numbered: each must follow the one before. How it ends is its kind. */
final class Listener
{
    private const UPGRADE = "GET /socket?room=%s HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        . "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

    /** @var resource|null null: it is over */
    public $stream;
    /** The room says so: from now on nothing may be missing. */
    public bool $listens = false;
    public int $last = 0;
    public int $heard = 0;
    public ?int $closeCode = null;
    private string $buffer = '';
    private bool $upgraded = false;

    /**
     * @param 'stays'|'closes'|'cuts'|'resets'|'stalls'|'breaks' $kind
     * @param float $until when it goes
     */
    public function __construct(string $address, public readonly string $room, public readonly string $kind, public readonly float $until)
    {
        $stream = @stream_socket_client("tcp://$address", $code, $error, 10);
        if ($stream === false) {
            throw new RuntimeException("$address: $error");
        }
        stream_set_blocking($stream, false);
        stream_set_read_buffer($stream, 0);
        fwrite($stream, sprintf(self::UPGRADE, $room));
        $this->stream = $stream;
    }

    /** It reads nothing once it listens. */
    public function isStalled(): bool
    {
        return $this->kind === 'stalls' && $this->listens;
    }

    /** What has come; a sentence about what is wrong with it, or null. */
    public function hear(): ?string
    {
        if ($this->stream === null) {
            return null;
        }
        $more = @fread($this->stream, 1 << 18);
        if (($more === '' || $more === false) && feof($this->stream)) {
            $this->stream = null;

            return null;
        }
        $this->buffer .= $more;
        if (!$this->upgraded) {
            $end = strpos($this->buffer, "\r\n\r\n");
            if ($end === false) {
                return null;
            }
            if (!str_starts_with($this->buffer, 'HTTP/1.1 101 ')) {
                return 'it was not let in: ' . strtok($this->buffer, "\r\n");
            }
            $this->upgraded = true;
            $this->buffer = substr($this->buffer, $end + 4);
        }

        return $this->frames();
    }

    /** Its end, as its kind ends. */
    public function leave(): void
    {
        if ($this->stream === null) {
            return;
        }
        match ($this->kind) {
            'breaks' => @fwrite($this->stream, "\xf3\x85" . random_bytes(9)),
            'resets' => $this->reset($this->stream),
            'cuts' => null,
            default => @fwrite($this->stream, Frame::close(1000)),
        };
        if ($this->kind !== 'closes' && $this->kind !== 'breaks') {
            $this->stream = null;
        }
    }

    /** @param resource $stream */
    private function reset($stream): void
    {
        $socket = socket_import_stream($stream);
        if ($socket !== false) {
            socket_set_option($socket, SOL_SOCKET, SO_LINGER, ['l_onoff' => 1, 'l_linger' => 0]);
        }
    }

    private function frames(): ?string
    {
        while (strlen($this->buffer) >= 4) {
            $length = ord($this->buffer[1]);
            $head = $length < 126 ? 2 : 4;
            if ($length === 126) {
                $length = ord($this->buffer[2]) << 8 | ord($this->buffer[3]);
            }
            if (strlen($this->buffer) < $head + $length) {
                return null;
            }
            $payload = substr($this->buffer, $head, $length);
            $opcode = ord($this->buffer[0]) & 15;
            $this->buffer = substr($this->buffer, $head + $length);
            if ($opcode === Frame::TEXT && ($wrong = $this->take($payload)) !== null) {
                return $wrong;
            }
            if ($opcode === Frame::PING && $this->stream !== null) {
                @fwrite($this->stream, Frame::pong($payload)); // who stays says nothing else
            }
            if ($opcode === Frame::CLOSE) {
                $this->closeCode = ord($payload[0] ?? "\0") << 8 | ord($payload[1] ?? "\0");
            }
        }

        return null;
    }

    private function take(string $message): ?string
    {
        if ($message === 'listening') {
            $this->listens = true; // what was published meanwhile may have come before

            return null;
        }
        $number = (int) $message;
        $wrong = $this->last !== 0 && $number !== $this->last + 1 ? "$number came after $this->last in room $this->room" : null;
        $this->last = $number;
        $this->heard++;

        return $wrong;
    }
}
