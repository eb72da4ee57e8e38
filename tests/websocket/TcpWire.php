<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe;

/** A connection of HTTP/1.1, upgraded. */
final class TcpWire implements Wire
{
    public const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
    /** What goes with that key (RFC 6455, 1.3). */
    public const ACCEPT = 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=';

    private readonly Socket $socket;
    private string $left = '';

    public function __construct(private readonly string $address, bool $tls, private readonly float $patience)
    {
        $this->socket = new Socket($address, $tls, 'http/1.1', $patience);
    }

    public function open(string $path, array $headers): Opening
    {
        $headers += [
            'Host' => $this->address, 'Upgrade' => 'websocket', 'Connection' => 'Upgrade', 'Sec-WebSocket-Key' => self::KEY,
            'Sec-WebSocket-Version' => '13',
        ];
        $method = $headers[':method'] ?? 'GET';
        $version = $headers[':version'] ?? 'HTTP/1.1';
        $head = "$method $path $version\r\n";
        foreach ($headers as $name => $value) {
            $head .= $value === '' || $name[0] === ':' ? '' : "$name: $value\r\n";
        }
        $this->socket->send("$head\r\n");
        $answer = '';
        while (($end = strpos($answer, "\r\n\r\n")) === false) {
            $more = $this->socket->read($this->patience);
            if ($more === '') {
                throw new Fault('the handshake has no answer' . ($answer === '' ? '' : ": $answer"));
            }
            $answer .= $more;
        }
        $this->left = substr($answer, $end + 4);
        $lines = explode("\r\n", substr($answer, 0, $end));
        $status = preg_match('~^HTTP/1\.1 (\d{3})~', array_shift($lines), $found) === 1 ? (int) $found[1] : 0;
        $fields = [];
        foreach ($lines as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $fields[strtolower($name)][] = trim($value);
        }

        return new Opening($status, $fields);
    }

    public function send(string $bytes): void
    {
        $this->socket->send($bytes);
    }

    public function read(float $patience): string
    {
        if ($this->left !== '') {
            [$left, $this->left] = [$this->left, ''];

            return $left;
        }

        return $this->socket->read($patience);
    }

    public function hasEnded(): bool
    {
        return $this->left === '' && $this->socket->hasEnded();
    }

    public function wasCut(): bool
    {
        return $this->socket->wasCut();
    }
}
