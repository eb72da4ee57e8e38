<?php

declare(strict_types=1);

namespace Weft\Bridge\Psr15;

use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\StreamInterface;

/**
 * Turns a PSR-7 response into headers and output, piece by piece: of a long body no more is in memory than one piece,
 * and what a slow one has so far goes out at once.
 *
 * @internal
 */
final class Emitter
{
    /** Bytes of a piece. What is shorter in all goes out in one, with its length. */
    private const PIECE = 65536;

    public function emit(ResponseInterface $response): void
    {
        $status = $response->getStatusCode();
        if (!headers_sent()) {
            foreach ($response->getHeaders() as $name => $values) {
                foreach (array_values($values) as $number => $value) {
                    // a cookie that something else has set stays
                    header("$name: $value", $number === 0 && strcasecmp((string) $name, 'Set-Cookie') !== 0);
                }
            }
            // last: some headers change the status. A reason is sent as it is, also when it is a custom one
            header(rtrim("HTTP/{$response->getProtocolVersion()} $status {$response->getReasonPhrase()}"), true, $status);
        }
        if (($_SERVER['REQUEST_METHOD'] ?? '') !== 'HEAD' && $status !== 204 && $status !== 304) {
            $this->send($response->getBody());
        }
    }

    private function send(StreamInterface $body): void
    {
        if ($body->isSeekable()) {
            $body->rewind();
        }
        if (!$body->isReadable()) {
            echo $body;

            return;
        }
        for ($end = $body->eof(); !$end;) {
            echo $body->read(self::PIECE);
            $end = $body->eof();
            if (!$end) {
                self::flush();
            }
        }
    }

    private static function flush(): void
    {
        if (ob_get_level() > 0) {
            ob_flush();
        }
        flush();
    }
}
