<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe;

use H2;

/** A stream of HTTP/2: CONNECT with :protocol, DATA frames, and END_STREAM where a connection would be closed (RFC 8441). */
final class Http2Wire implements Wire
{
    private const STREAM = 1;
    private const CONNECT_PROTOCOL = 8;
    /** What the client lets come before it says that it has taken it. */
    private const WINDOW = 1 << 24;
    private const INITIAL_WINDOW = 65535;

    private readonly Socket $socket;
    private string $frames = '';
    private string $inbox = '';
    private ?string $block = null;
    private bool $settled = false;
    private bool $speaks = false;
    private bool $ended = false;
    private bool $cut = false;
    /** Bytes that the server takes, of the stream and of the connection. */
    private int $mine = 0;
    private int $ours = self::INITIAL_WINDOW;
    private int $initial = self::INITIAL_WINDOW;
    private int $largest = 16384;
    private int $unsaid = 0;

    public function __construct(private readonly string $address, private readonly bool $tls, private readonly float $patience)
    {
        $this->socket = new Socket($address, $tls, 'h2', $patience);
        // no table of headers, so that its answers need none to be read
        $this->socket->send(H2::PREFACE . H2::settings([1 => 0, 4 => self::WINDOW]) . H2::window(0, self::WINDOW - self::INITIAL_WINDOW));
    }

    public function open(string $path, array $headers): Opening
    {
        $this->until(fn (): bool => $this->settled, 'no SETTINGS come');
        if (!$this->speaks) {
            throw new Fault('SETTINGS_ENABLE_CONNECT_PROTOCOL is not in its SETTINGS (RFC 8441, 3)', Kind::Unimplemented);
        }
        $fields = [
            ':method' => 'CONNECT', ':protocol' => 'websocket', ':scheme' => $this->tls ? 'https' : 'http', ':path' => $path, ':authority' => $this->address,
        ];
        foreach ($headers + ['Sec-WebSocket-Version' => '13'] as $name => $value) {
            $name = strtolower($name);
            if ($name === 'host') {
                $fields[':authority'] = $value;
            } elseif (!in_array($name, ['upgrade', 'connection', 'sec-websocket-key', ':version'], true)) {
                $fields[$name] = $value; // the key is no part of it (RFC 8441, 5)
            }
        }
        $block = '';
        foreach ($fields as $name => $value) {
            $block .= $value === '' ? '' : H2::field($name, $value);
        }
        $this->mine = $this->initial;
        $this->socket->send(H2::headers(self::STREAM, $block, H2::END_HEADERS));
        $this->until(fn (): bool => $this->block !== null || $this->hasEnded(), 'the handshake has no answer');
        $answer = Hpack::fields($this->block ?? throw new Fault('the handshake has no answer: the stream has ended'));

        return new Opening((int) ($answer[':status'][0] ?? 0), $answer);
    }

    public function send(string $bytes): void
    {
        for ($at = 0; $at < strlen($bytes); $at += $length) {
            $this->until(fn (): bool => min($this->mine, $this->ours) > 0 || $this->hasEnded(), 'no window opens');
            if ($this->hasEnded()) {
                return;
            }
            $length = min(strlen($bytes) - $at, $this->mine, $this->ours, $this->largest);
            $this->mine -= $length;
            $this->ours -= $length;
            $this->socket->send(H2::data(self::STREAM, substr($bytes, $at, $length), 0));
            $this->take('');
        }
    }

    public function read(float $patience): string
    {
        $until = microtime(true) + $patience;
        while ($this->inbox === '' && !$this->hasEnded() && ($now = microtime(true)) <= $until) {
            $this->take($this->socket->read($until - $now));
        }
        [$bytes, $this->inbox] = [$this->inbox, ''];

        return $bytes;
    }

    public function hasEnded(): bool
    {
        return $this->inbox === '' && ($this->ended || $this->socket->hasEnded());
    }

    public function wasCut(): bool
    {
        return $this->cut || !$this->ended; // the connection is to stay when the stream ends
    }

    /** @param callable(): bool $done */
    private function until(callable $done, string $otherwise): void
    {
        $until = microtime(true) + $this->patience;
        while (!$done()) {
            if (($now = microtime(true)) > $until || $this->socket->hasEnded()) {
                throw new Fault($otherwise);
            }
            $this->take($this->socket->read($until - $now));
        }
    }

    private function take(string $bytes): void
    {
        $this->frames .= $bytes !== '' ? $bytes : $this->socket->read(0);
        for ($at = 0; strlen($this->frames) >= $at + 9; $at += 9 + $length) {
            $length = self::number("\0" . substr($this->frames, $at, 3));
            if (strlen($this->frames) < $at + 9 + $length) {
                break;
            }
            $stream = self::number(substr($this->frames, $at + 5, 4)) & 0x7fffffff;
            $this->frame(ord($this->frames[$at + 3]), ord($this->frames[$at + 4]), $stream, substr($this->frames, $at + 9, $length));
        }
        $this->frames = $at === 0 ? $this->frames : substr($this->frames, $at);
    }

    private function frame(int $type, int $flags, int $stream, string $payload): void
    {
        switch ($type) {
            case H2::DATA:
                $this->inbox .= $payload;
                $this->ended = $this->ended || ($flags & H2::END_STREAM) !== 0;
                $this->taken(strlen($payload));
                break;
            case H2::HEADERS:
                $this->block ??= $payload;
                $this->ended = $this->ended || ($flags & H2::END_STREAM) !== 0;
                break;
            case H2::RST_STREAM:
                // NO_ERROR after END_STREAM: only what the client might still send is not wanted
                $this->cut = $this->cut || !($this->ended && self::number($payload) === 0);
                $this->ended = true;
                break;
            case H2::GOAWAY:
                $this->cut = $this->cut || self::number(substr($payload, 4, 4)) !== 0;
                break;
            case H2::PING:
                $this->socket->send(($flags & H2::ACK) !== 0 ? '' : H2::frame(H2::PING, H2::ACK, 0, $payload));
                break;
            case H2::WINDOW_UPDATE:
                $this->ours += $stream === 0 ? self::number($payload) : 0;
                $this->mine += $stream === self::STREAM ? self::number($payload) : 0;
                break;
            case H2::SETTINGS:
                $this->settings($flags, $payload);
                break;
        }
    }

    private function settings(int $flags, string $payload): void
    {
        if (($flags & H2::ACK) !== 0) {
            return;
        }
        foreach ($payload === '' ? [] : str_split($payload, 6) as $setting) {
            $value = self::number(substr($setting, 2));
            switch (self::number("\0\0" . substr($setting, 0, 2))) {
                case 4:
                    $this->mine += $value - $this->initial;
                    $this->initial = $value;
                    break;
                case 5:
                    $this->largest = $value;
                    break;
                case self::CONNECT_PROTOCOL:
                    $this->speaks = $value === 1;
                    break;
            }
        }
        $this->settled = true;
        $this->socket->send(H2::frame(H2::SETTINGS, H2::ACK, 0));
    }

    /** Tells the server, now and then, that it may send as much again. */
    private function taken(int $bytes): void
    {
        $this->unsaid += $bytes;
        if ($this->unsaid > self::WINDOW / 2) {
            $this->socket->send(H2::window(0, $this->unsaid) . H2::window(self::STREAM, $this->unsaid));
            $this->unsaid = 0;
        }
    }

    private static function number(string $four): int
    {
        $number = unpack('N', $four);

        return is_array($number) && is_int($number[1]) ? $number[1] : 0;
    }
}
