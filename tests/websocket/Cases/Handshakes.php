<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe\Cases;

use Weft\WebSocketProbe\Fault;
use Weft\WebSocketProbe\Kind;
use Weft\WebSocketProbe\Meeting;
use Weft\WebSocketProbe\Probe;
use Weft\WebSocketProbe\Verdict;

/** 20: handshakes, right ones and wrong ones. */
final class Handshakes
{
    /**
     * @return array<string, Probe>
     */
    public static function cases(): array
    {
        return [
            '20.1' => self::opens('as a browser says it', ['Connection' => 'keep-alive, Upgrade', 'Upgrade' => 'websocket', 'Pragma' => 'no-cache']),
            '20.2' => self::opens('in other letters', ['Connection' => 'UPGRADE', 'Upgrade' => 'WebSocket']),
            '20.3' => self::opens('among other protocols', ['Upgrade' => 'foo, websocket']),
            '20.4' => self::refused('6455 4.2.1', 'no key', ['Sec-WebSocket-Key' => '']),
            '20.5' => self::refused('6455 4.2.1', 'a key of 15 bytes', ['Sec-WebSocket-Key' => base64_encode(str_repeat('x', 15))]),
            '20.6' => self::refused('6455 4.2.1', 'a key that is no base64', ['Sec-WebSocket-Key' => 'dGhlIHNhbXBsZSBub25j!!==']),
            '20.7' => self::refused('6455 4.4', 'another version', ['Sec-WebSocket-Version' => '8'], [400, 426]),
            '20.8' => self::refused('6455 4.2.1', 'no version', ['Sec-WebSocket-Version' => ''], [400, 426]),
            '20.9' => self::refused('6455 4.1', 'a POST', [':method' => 'POST', 'Content-Length' => '0'], [400, 404, 405, 426]),
            '20.10' => self::refused('6455 4.1', 'HTTP/1.0', [':version' => 'HTTP/1.0'], [400, 426, 505]),
            '20.11' => self::refused('6455 4.2.1', 'no Connection: Upgrade', ['Connection' => 'keep-alive'], [400, 426]),
            '20.12' => self::refused('6455 4.2.1', 'no Upgrade', ['Upgrade' => ''], [400, 426]),
            '20.13' => Probe::of('6455 4.4', 'what is told of the version that is spoken', static function (Meeting $meeting): Verdict {
                $opening = $meeting->wire()->open($meeting->path, ['Sec-WebSocket-Version' => '8']);

                return $opening->header('sec-websocket-version') === '13'
                    ? new Verdict(Kind::Ok)
                    : new Verdict(Kind::NonStrict, "$opening->status without Sec-WebSocket-Version: 13");
            }),
        ];
    }

    /** @param array<string, string> $headers */
    private static function opens(string $about, array $headers): Probe
    {
        return self::refused('6455 4.2.1', $about, $headers, [101]);
    }

    /**
     * @param array<string, string> $headers
     * @param list<int> $statuses
     */
    private static function refused(string $section, string $about, array $headers, array $statuses = [400]): Probe
    {
        return Probe::of($section, $about, static function (Meeting $meeting) use ($headers, $statuses): Verdict {
            $ofHttp1 = array_intersect_key($headers, array_flip(['Connection', 'Upgrade', 'Sec-WebSocket-Key', ':method', ':version']));
            if ($meeting->isHttp2() && $ofHttp1 !== []) {
                return new Verdict(Kind::Informational, 'HTTP/2 has none of that');
            }
            $opening = $meeting->wire()->open($meeting->path, $headers);
            $status = $meeting->isHttp2() && $opening->status === 200 ? 101 : $opening->status;
            if (!in_array($status, $statuses, true)) {
                throw new Fault("$opening->status instead of " . implode(' or ', array_map(json_encode(...), $statuses)));
            }

            return new Verdict(Kind::Ok);
        });
    }
}
