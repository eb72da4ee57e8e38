<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe;

/** What a client sends (RFC 6455, 5.2). */
final class Frame
{
    public const MORE = 0, TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10;

    public static function make(int $opcode, string $payload = '', bool $fin = true, int $rsv = 0, ?string $mask = null): string
    {
        $length = strlen($payload);
        $head = chr(($fin ? 0x80 : 0) | $rsv << 4 | $opcode);
        $head .= match (true) {
            $length < 126 => chr(0x80 | $length),
            $length < 65536 => "\xfe" . pack('n', $length),
            default => "\xff" . pack('J', $length),
        };
        $mask ??= random_bytes(4);

        return $head . $mask . self::masked($payload, $mask);
    }

    public static function masked(string $payload, string $mask): string
    {
        return $payload ^ substr(str_repeat($mask, intdiv(strlen($payload) + 3, 4)), 0, strlen($payload));
    }

    public static function text(string $payload, bool $fin = true): string
    {
        return self::make(self::TEXT, $payload, $fin);
    }

    public static function more(string $payload, bool $fin = true): string
    {
        return self::make(self::MORE, $payload, $fin);
    }

    public static function ping(string $payload = ''): string
    {
        return self::make(self::PING, $payload);
    }

    public static function pong(string $payload = ''): string
    {
        return self::make(self::PONG, $payload);
    }

    public static function close(?int $code = null, string $reason = ''): string
    {
        return self::make(self::CLOSE, ($code === null ? '' : pack('n', $code)) . $reason);
    }

    /**
     * @return list<string> the frames of one message
     */
    public static function message(int $opcode, string $payload, int $each, int $rsv = 0): array
    {
        $pieces = $each > 0 && $payload !== '' ? str_split($payload, max(1, $each)) : [$payload];
        $frames = [];
        foreach ($pieces as $at => $piece) {
            $frames[] = self::make($at === 0 ? $opcode : self::MORE, $piece, $at === count($pieces) - 1, $at === 0 ? $rsv : 0);
        }

        return $frames;
    }

    /**
     * @param int<1, max> $each
     * @return list<string>
     */
    public static function chopped(string $bytes, int $each): array
    {
        return str_split($bytes, $each);
    }
}
