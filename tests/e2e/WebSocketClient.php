<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use RuntimeException;
use Weft\WebSocketProbe\Frame;

/**
 * A WebSocket as a client has it: texts go, and what comes is read one after another.
 */
final class WebSocketClient
{
    private const PATIENCE = 20;

    /** What the server has closed it with; null: it has not. */
    public ?int $code = null;

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
        do {
            $line = fgets($stream);
        } while ($line !== "\r\n" && $line !== false);
    }

    public function send(string $text): void
    {
        fwrite($this->stream, Frame::text($text));
    }

    /** The next message. Null: the server has closed it, or it is lost. */
    public function receive(): ?string
    {
        while ($this->code === null && ($head = $this->bytes(2)) !== '') {
            $data = $this->data(ord($head[1]));
            switch (ord($head[0]) & 0x0F) {
                case Frame::CLOSE:
                    $this->code = ord($data[0] ?? "\0") << 8 | ord($data[1] ?? "\0");
                    break;
                case Frame::PING:
                case Frame::PONG:
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
