<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe;

/** The client of one WebSocket: sends bytes as they are, and tells in words what comes: "text Hello", "pong x", "close 1000". */
final class Peer
{
    /** @var list<string> messages and pongs, without the close */
    public array $events = [];
    /** 0: a close without one; null: none has come */
    public ?int $closeCode = null;

    private string $buffer = '';
    private ?string $message = null;
    private string $kind = '';
    private bool $compressed = false;
    private bool $saidClose = false;

    public function __construct(private readonly Wire $wire, public readonly ?Deflate $deflate, private readonly float $patience)
    {
    }

    public function send(string ...$pieces): self
    {
        foreach ($pieces as $piece) {
            $this->wire->send($piece);
        }

        return $this;
    }

    /** Sends it when it is the client's turn to say so, once. */
    public function close(int $code = 1000): self
    {
        $this->saidClose = true;

        return $this->send(Frame::close($code));
    }

    /** A close is among what the steps of a case send. */
    public function hasSaidClose(): void
    {
        $this->saidClose = true;
    }

    /** Until so many events have come; false: a close or the end came first, or nothing. */
    public function await(int $events, ?float $patience = null): bool
    {
        $until = microtime(true) + ($patience ?? $this->patience);
        do {
            $this->take();
            if (count($this->events) >= $events) {
                return true;
            }
            if ($this->isOver()) {
                return false;
            }
            $this->hear($until - microtime(true));
        } while (microtime(true) < $until);
        $this->take();

        return count($this->events) >= $events;
    }

    /** A close has come, or the end. */
    public function awaitClose(?float $patience = null): bool
    {
        $this->await(PHP_INT_MAX, $patience);

        return $this->isOver();
    }

    /** After a close: the server ends the connection, and says nothing more. */
    public function awaitEnd(): void
    {
        $until = microtime(true) + $this->patience;
        while (!$this->wire->hasEnded() && microtime(true) < $until) {
            $more = $this->wire->read($until - microtime(true));
            if ($more !== '') {
                throw new Fault('something follows the close: ' . self::show($more));
            }
        }
        if (!$this->wire->hasEnded()) {
            throw new Fault('the server does not end the connection (RFC 6455, 7.1.1)');
        }
    }

    public function isOver(): bool
    {
        return $this->closeCode !== null || ($this->buffer === '' && $this->wire->hasEnded());
    }

    public function wasCut(): bool
    {
        return $this->wire->wasCut();
    }

    public static function show(string $bytes): string
    {
        return '"' . addcslashes(substr($bytes, 0, 60), "\0..\37\177..\377\"\\") . '"' . (strlen($bytes) > 60 ? ' and so on, ' . strlen($bytes) . ' bytes' : '');
    }

    private function hear(float $patience): void
    {
        $this->buffer .= $this->wire->read(max(0, $patience));
    }

    private function take(): void
    {
        while ($this->closeCode === null && strlen($this->buffer) >= 2) {
            $first = ord($this->buffer[0]);
            $length = ord($this->buffer[1]);
            if ($length > 127) {
                throw new Fault('a frame of the server is masked (RFC 6455, 5.1)');
            }
            $head = $length < 126 ? 2 : ($length === 126 ? 4 : 10);
            if (strlen($this->buffer) < $head) {
                return;
            }
            if ($length >= 126) {
                $long = unpack($length === 126 ? 'n' : 'J', $this->buffer, 2);
                $least = $length === 126 ? 126 : 65536;
                $length = is_array($long) && is_int($long[1]) ? $long[1] : 0;
                if ($length < $least) {
                    throw new Fault('a length is longer than it need be (RFC 6455, 5.2)');
                }
            }
            if (strlen($this->buffer) < $head + $length) {
                return;
            }
            $payload = substr($this->buffer, $head, $length);
            $this->buffer = substr($this->buffer, $head + $length);
            $this->frame($first, $payload);
        }
    }

    private function frame(int $first, string $payload): void
    {
        $opcode = $first & 15;
        $fin = ($first & 0x80) !== 0;
        $rsv = $first >> 4 & 7;
        $starts = $opcode === Frame::TEXT || $opcode === Frame::BINARY;
        if ($rsv !== 0 && !($rsv === 4 && $starts && $this->deflate !== null)) {
            throw new Fault("a frame of the server has RSV $rsv (RFC 6455, 5.2)");
        }
        if ($opcode > 7) {
            if (!$fin || strlen($payload) > 125) {
                throw new Fault('a control frame of the server is in fragments, or too long (RFC 6455, 5.5)');
            }
            $this->control($opcode, $payload);

            return;
        }
        if ($starts === ($this->message !== null) || (!$starts && $opcode !== Frame::MORE)) {
            throw new Fault("a frame of the server with opcode $opcode is out of place (RFC 6455, 5.4)");
        }
        if ($starts) {
            $this->kind = $opcode === Frame::TEXT ? 'text' : 'binary';
            $this->message = '';
            $this->compressed = $rsv === 4;
        }
        $this->message .= $payload;
        if ($fin) {
            $message = $this->compressed ? ($this->deflate?->plain($this->message) ?? '') : $this->message;
            if ($this->kind === 'text' && !mb_check_encoding($message, 'UTF-8')) {
                throw new Fault('a text of the server is no UTF-8 (RFC 6455, 8.1)');
            }
            $this->events[] = "$this->kind $message";
            $this->message = null;
        }
    }

    private function control(int $opcode, string $payload): void
    {
        if ($opcode === Frame::PING) {
            $this->send(Frame::pong($payload)); // the server's own affair

            return;
        }
        if ($opcode === Frame::PONG) {
            $this->events[] = "pong $payload";

            return;
        }
        if ($opcode !== Frame::CLOSE) {
            throw new Fault("a frame of the server has opcode $opcode (RFC 6455, 5.2)");
        }
        $code = strlen($payload) < 2 ? 0 : ord($payload[0]) << 8 | ord($payload[1]);
        if (strlen($payload) === 1 || !mb_check_encoding(substr($payload, 2), 'UTF-8') || ($code !== 0 && !self::mayBeSent($code))) {
            throw new Fault('a close of the server is wrong: ' . self::show($payload) . ' (RFC 6455, 5.5.1 and 7.4)');
        }
        $this->closeCode = $code;
        if (!$this->saidClose) {
            $this->close($code === 0 ? 1000 : $code);
        }
    }

    private static function mayBeSent(int $code): bool
    {
        return ($code >= 1000 && $code <= 1014 && !in_array($code, [1004, 1005, 1006], true)) || ($code >= 3000 && $code <= 4999);
    }
}
