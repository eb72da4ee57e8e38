<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use RuntimeException;

/**
 * A WebSocket as a client has it: texts go, and what comes is read one after another.
 */
final class WebSocketClient
{
    private const PATIENCE = 20;
    private const CLOSE = 8;
    private const PING = 9;
    private const PONG = 10;

    /** Of the answer; 101: it is open. */
    public readonly int $status;

    /** What the server has closed it with, and why; null: it has not. */
    public ?int $code = null;
    public string $reason = '';

    /** @var resource */
    private $stream;

    /** @param list<string> $headers */
    public function __construct(string $url, string $path = '/', array $headers = [])
    {
        $stream = stream_socket_client(str_replace('http', 'tcp', $url));
        if ($stream === false) {
            throw new RuntimeException('No connection');
        }
        $this->stream = $stream;
        stream_set_timeout($stream, self::PATIENCE);
        fwrite($stream, implode("\r\n", [
            "GET $path HTTP/1.1",
            'Host: test',
            'Upgrade: websocket',
            'Connection: Upgrade',
            'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
            'Sec-WebSocket-Version: 13',
            ...$headers,
            "\r\n",
        ]));
        $this->status = (int) substr((string) fgets($stream), strlen('HTTP/1.1 '), 3);
        do {
            $line = fgets($stream);
        } while ($line !== "\r\n" && $line !== false);
    }

    public function send(string $text): void
    {
        $length = strlen($text);
        $head = match (true) {
            $length < 126 => chr(0x80 | $length),
            $length < 65536 => "\xfe" . pack('n', $length),
            default => "\xff" . pack('J', $length),
        };
        fwrite($this->stream, "\x81$head\0\0\0\0$text");
    }

    /** The next message. Null: the server has closed it, or it is lost. */
    public function receive(): ?string
    {
        while ($this->code === null && ($head = $this->bytes(2)) !== '') {
            $data = $this->data(ord($head[1]));
            switch (ord($head[0]) & 0x0F) {
                case self::CLOSE:
                    $this->code = ord($data[0] ?? "\0") << 8 | ord($data[1] ?? "\0");
                    $this->reason = substr($data, 2);
                    break;
                case self::PING:
                case self::PONG:
                    break;
                default:
                    return $data;
            }
        }

        return null;
    }

    public function leave(): void
    {
        // programs that were started since have it as well
        stream_socket_shutdown($this->stream, STREAM_SHUT_RDWR);
        fclose($this->stream);
    }

    private function data(int $length): string
    {
        if ($length >= 126) {
            $bytes = $this->bytes($length === 126 ? 2 : 8);
            $length = (int) hexdec(bin2hex($bytes));
        }

        return $this->bytes($length);
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
