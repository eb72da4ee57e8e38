<?php

declare(strict_types=1);

namespace Weft\HttpProbe;

/**
 * All probes, and the words that their tables are written in.
 *
 * @phpstan-import-type Line from Probe
 */
final class Table
{
    /**
     * @return array<string, Probe> by name
     */
    public static function all(): array
    {
        $rooms = [
            'request line' => Cases\RequestLine::lines(),
            'target' => Cases\Targets::lines(),
            'host' => Cases\Hosts::lines(),
            'header' => Cases\Headers::lines(),
            'length' => Cases\Lengths::lines(),
            'chunks' => Cases\Chunks::lines(),
            'smuggling' => Cases\Smuggling::lines(),
            'expect' => Cases\Expectations::lines(),
            'connection' => Cases\Connections::lines(),
            'answer' => Cases\Answers::lines(),
        ];
        $probes = [];
        foreach ($rooms as $room => $lines) {
            foreach ($lines as $name => $line) {
                $probes["$room: $name"] = Probe::of("$room: $name", $line);
            }
        }

        return $probes;
    }

    /** A request of these header lines, with a Host unless one of them is it. */
    public static function request(string $line, string ...$headers): string
    {
        $hosts = preg_grep('/^host\s*:/i', $headers);

        return implode("\r\n", [$line, ...($hosts === [] ? ['Host: probe'] : []), ...$headers]) . "\r\n\r\n";
    }

    public static function get(string ...$headers): string
    {
        return self::request('GET / HTTP/1.1', ...$headers);
    }

    /** A POST with a body of three bytes, whose framing is told by the headers. */
    public static function post(string $body, string ...$headers): string
    {
        return self::request('POST / HTTP/1.1', ...$headers) . $body;
    }

    /** A POST with these chunks, as they are on the wire. */
    public static function chunked(string $chunks, string ...$headers): string
    {
        return self::request('POST / HTTP/1.1', 'Transfer-Encoding: chunked', ...$headers) . $chunks;
    }

    /**
     * @return list<string> in two pieces
     */
    public static function cut(string $bytes, int $at): array
    {
        return [substr($bytes, 0, $at), substr($bytes, $at)];
    }

    /** A byte, as a probe's name has it. */
    public static function byte(int $byte): string
    {
        return $byte > 32 && $byte < 127 ? chr($byte) : sprintf('0x%02x', $byte);
    }

    /** Bytes for people. */
    public static function show(string $bytes): string
    {
        return '"' . addcslashes(substr($bytes, 0, 160), "\0..\37\177..\377\"\\") . '"';
    }
}
