<?php

declare(strict_types=1);

namespace Weft\Http;

use JsonException;

/**
 * A request, as a plain callable gets it.
 *
 *     return function (Request $request): Response {
 *         if ($request->method() === 'POST') {
 *             $name = $request->json()['name'] ?? $request->post('name');
 *             return Response::json(['created' => $name], 201);
 *         }
 *         return Response::text("Looking for {$request->query('q', 'nothing')} at {$request->path()}");
 *     };
 */
final class Request
{
    /**
     * @param array<array-key, mixed>|null $query as $_GET; null: read from there when it is asked for
     * @param array<array-key, mixed>|null $post as $_POST, likewise
     * @param array<array-key, mixed>|null $cookies as $_COOKIE
     * @param array<array-key, mixed>|null $files as $_FILES
     * @param array<array-key, mixed>|null $server as $_SERVER
     * @param string|null $body null: read from php://input when it is asked for
     */
    public function __construct(
        private readonly ?array $query = [],
        private readonly ?array $post = [],
        private readonly ?array $cookies = [],
        private readonly ?array $files = [],
        private readonly ?array $server = [],
        private ?string $body = null,
    ) {
    }

    public static function fromGlobals(): self
    {
        return new self(null, null, null, null, null);
    }

    /**
     * "GET", "POST" …, in capitals.
     */
    public function method(): string
    {
        return strtoupper($this->serverText('REQUEST_METHOD', 'GET'));
    }

    /**
     * Path and query as the client sent them.
     */
    public function uri(): string
    {
        return $this->serverText('REQUEST_URI', '/');
    }

    /**
     * The path, decoded: "/a b" for a request of /a%20b?c=d.
     */
    public function path(): string
    {
        return rawurldecode(explode('?', $this->uri(), 2)[0]);
    }

    /**
     * One parameter of the query string, or all of them.
     *
     * @return ($name is null ? array<array-key, mixed> : mixed)
     */
    public function query(?string $name = null, mixed $default = null): mixed
    {
        return self::one($this->query ?? $_GET, $name, $default);
    }

    /**
     * One field of a form, or all of them.
     *
     * @return ($name is null ? array<array-key, mixed> : mixed)
     */
    public function post(?string $name = null, mixed $default = null): mixed
    {
        return self::one($this->post ?? $_POST, $name, $default);
    }

    /**
     * @return ($name is null ? array<array-key, mixed> : mixed)
     */
    public function cookies(?string $name = null, mixed $default = null): mixed
    {
        return self::one($this->cookies ?? $_COOKIE, $name, $default);
    }

    /**
     * Uploads, as in $_FILES.
     *
     * @return array<array-key, mixed>
     */
    public function files(): array
    {
        return $this->files ?? $_FILES;
    }

    /**
     * @return ($name is null ? array<array-key, mixed> : mixed)
     */
    public function server(?string $name = null, mixed $default = null): mixed
    {
        return self::one($this->server ?? $_SERVER, $name, $default);
    }

    /**
     * A header by its name, in any case; null when the client did not send it.
     */
    public function header(string $name): ?string
    {
        return $this->headers()[strtolower($name)] ?? null;
    }

    /**
     * All headers, their names in lower case.
     *
     * @return array<string, string>
     */
    public function headers(): array
    {
        $headers = [];
        foreach ($this->server ?? $_SERVER as $key => $value) {
            $key = (string) $key;
            if (!is_string($value)) {
                continue;
            }
            if (str_starts_with($key, 'HTTP_')) {
                $headers[strtolower(strtr(substr($key, 5), '_', '-'))] = $value;
            } elseif (in_array($key, ['CONTENT_TYPE', 'CONTENT_LENGTH'], true) && $value !== '') {
                $headers[strtolower(strtr($key, '_', '-'))] = $value;
            }
        }

        return $headers;
    }

    public function body(): string
    {
        return $this->body ??= (string) file_get_contents('php://input');
    }

    /**
     * The body as JSON, objects as arrays; null when the body is empty.
     *
     * @throws JsonException when the body is not JSON
     */
    public function json(): mixed
    {
        return $this->body() === '' ? null : json_decode($this->body(), true, flags: JSON_THROW_ON_ERROR);
    }

    /**
     * @param array<array-key, mixed> $values
     * @return ($name is null ? array<array-key, mixed> : mixed)
     */
    private static function one(array $values, ?string $name, mixed $default): mixed
    {
        return $name === null ? $values : ($values[$name] ?? $default);
    }

    private function serverText(string $name, string $default): string
    {
        $value = ($this->server ?? $_SERVER)[$name] ?? null;

        return is_string($value) && $value !== '' ? $value : $default;
    }
}
