<?php

declare(strict_types=1);

namespace Weft\HttpProbe;

use RuntimeException;

/** One connection, bytes as they are. */
final class Conversation
{
    /** @var resource */
    private $socket;
    private string $buffer = '';

    public function __construct(string $address, float $patience)
    {
        $socket = @stream_socket_client("tcp://$address", $code, $error, 5);
        if ($socket === false) {
            throw new RuntimeException("$address: $error");
        }
        $this->socket = $socket;
        stream_set_timeout($socket, (int) $patience, (int) (fmod($patience, 1) * 1e6));
        stream_set_write_buffer($socket, 0);
        stream_set_read_buffer($socket, 0);
        $raw = socket_import_stream($socket);
        if ($raw !== false) {
            socket_set_option($raw, SOL_TCP, TCP_NODELAY, 1);
        }
    }

    /** A server that has heard enough may have closed by now. */
    public function send(string $bytes): void
    {
        while ($bytes !== '') {
            $sent = @fwrite($this->socket, $bytes);
            if ($sent === false || $sent === 0) {
                return;
            }
            $bytes = substr($bytes, $sent);
        }
    }

    public function endOfStream(): void
    {
        @stream_socket_shutdown($this->socket, STREAM_SHUT_WR);
    }

    /** The next one; null: none comes. */
    public function answer(bool $headOnly): ?Answer
    {
        $statusLine = $this->line();
        if ($statusLine === null) {
            return null;
        }
        $lines = [];
        while (($line = $this->line()) !== null && $line !== '') {
            $lines[] = $line;
        }
        $head = new Answer($statusLine, $lines, '', $line === '');
        if ($headOnly || $head->status() < 200 || in_array($head->status(), [204, 304], true)) {
            return $head;
        }
        [$body, $complete] = match (true) {
            $head->values('Transfer-Encoding') === ['chunked'] => $this->chunks(),
            $head->values('Content-Length') !== [] => $this->exactly((int) $head->values('Content-Length')[0]),
            default => [$this->rest(), true],
        };

        return new Answer($statusLine, $lines, $body, $complete && $head->complete);
    }

    /** Nothing more comes, and the server has closed. */
    public function isOver(): bool
    {
        return $this->buffer === '' && !$this->fill() && feof($this->socket);
    }

    /** What has come and is part of no answer. */
    public function left(): string
    {
        return $this->buffer;
    }

    private function fill(): bool
    {
        $more = @fread($this->socket, 65536);
        $this->buffer .= (string) $more;

        return $more !== false && $more !== '';
    }

    private function line(): ?string
    {
        while (($end = strpos($this->buffer, "\r\n")) === false) {
            if (!$this->fill()) {
                return null;
            }
        }
        $line = substr($this->buffer, 0, $end);
        $this->buffer = substr($this->buffer, $end + 2);

        return $line;
    }

    /**
     * @return array{string, bool}
     */
    private function exactly(int $length): array
    {
        while (strlen($this->buffer) < $length && $this->fill()) {
        }
        $bytes = substr($this->buffer, 0, $length);
        $this->buffer = substr($this->buffer, $length);

        return [$bytes, strlen($bytes) === $length];
    }

    /**
     * @return array{string, bool}
     */
    private function chunks(): array
    {
        $body = '';
        do {
            $size = $this->line();
            if ($size === null || preg_match('/^[0-9a-f]{1,8}$/i', $size) !== 1) {
                return [$body, false];
            }
            $body .= $this->exactly((int) hexdec($size))[0];
            $end = $this->line();
        } while (hexdec($size) > 0 && $end === '');

        return [$body, $end === ''];
    }

    private function rest(): string
    {
        while ($this->fill()) {
        }
        [$rest, $this->buffer] = [$this->buffer, ''];

        return $rest;
    }
}
