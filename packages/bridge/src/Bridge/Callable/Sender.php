<?php

declare(strict_types=1);

namespace Weft\Bridge\Callable;

use Closure;
use TypeError;
use Weft\Http\Response;

/**
 * Turns what a callable returned into headers and output.
 *
 * @internal
 */
final class Sender
{
    /** The request has become a WebSocket, and is answered. */
    private const SWITCHING_PROTOCOLS = 101;

    public function send(mixed $result): void
    {
        match (true) {
            $result === null => null,
            $result instanceof Response => $this->sendResponse($result),
            is_string($result) => $this->sendBody($result),
            is_array($result) => $this->sendResponse(Response::json($result)),
            is_iterable($result) => $this->sendBody($result),
            default => throw new TypeError(sprintf(
                'The application returned %s; expected Weft\Http\Response, string, array (JSON), iterable (streamed) or null.',
                get_debug_type($result),
            )),
        };
    }

    private function sendResponse(Response $response): void
    {
        if (http_response_code() === self::SWITCHING_PROTOCOLS) {
            return; // nobody gets it, and its headers would be told of as too late
        }
        http_response_code($response->status);
        foreach ($response->headers as $name => $values) {
            foreach ((array) $values as $number => $value) {
                header("$name: $value", $number === 0);
            }
        }
        $this->sendBody($response->body);
    }

    /**
     * @param string|iterable<mixed>|Closure $body
     */
    private function sendBody(string|iterable|Closure $body): void
    {
        if (is_string($body)) {
            echo $body;
        } elseif ($body instanceof Closure) {
            $result = $body();
            if (is_iterable($result)) {
                $this->stream($result);
            }
        } else {
            $this->stream($body);
        }
    }

    /**
     * @param iterable<mixed> $pieces
     */
    private function stream(iterable $pieces): void
    {
        foreach ($pieces as $piece) {
            if (!is_scalar($piece) && !$piece instanceof \Stringable) {
                throw new TypeError('A streamed response must consist of strings, not ' . get_debug_type($piece) . '.');
            }
            echo $piece;
            // php.ini may buffer output (Debian's does): that must not hold a stream back.
            if (ob_get_level() > 0) {
                ob_flush();
            }
            flush();
        }
    }
}
