<?php

declare(strict_types=1);

namespace Weft\Http;

use Closure;

/**
 * A response of a plain callable.
 *
 *     return new Response(status: 404, headers: ['Content-Type' => 'text/plain'], body: 'not here');
 *     return Response::json(['ok' => true]);
 *     return new Response(body: (function () {
 *         foreach (range(1, 3) as $i) {
 *             yield "line $i\n";      // reaches the client at once
 *             sleep(1);               // others run meanwhile
 *         }
 *     })());
 */
final class Response
{
    /**
     * @param array<string, string|list<string>> $headers a list sends the header several times (Set-Cookie)
     * @param string|iterable<mixed>|Closure $body a string; pieces, each sent as it comes; or a closure that echoes or returns pieces
     */
    public function __construct(
        public readonly int $status = 200,
        public readonly array $headers = [],
        public readonly string|iterable|Closure $body = '',
    ) {
    }

    /**
     * @param array<string, string|list<string>> $headers
     */
    public static function json(mixed $value, int $status = 200, array $headers = []): self
    {
        $json = json_encode($value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION);

        return new self($status, $headers + ['Content-Type' => 'application/json'], $json);
    }

    /**
     * @param array<string, string|list<string>> $headers
     */
    public static function html(string $html, int $status = 200, array $headers = []): self
    {
        return new self($status, $headers + ['Content-Type' => 'text/html; charset=UTF-8'], $html);
    }

    /**
     * @param array<string, string|list<string>> $headers
     */
    public static function text(string $text, int $status = 200, array $headers = []): self
    {
        return new self($status, $headers + ['Content-Type' => 'text/plain; charset=UTF-8'], $text);
    }

    public static function redirect(string $location, int $status = 302): self
    {
        return new self($status, ['Location' => $location]);
    }
}
