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
    // With values from the start, and not promoted: PHP assigns to such properties at a quarter of the cost.

    /** @var array<array-key, mixed> */
    private array $query = [];
    /** @var array<array-key, mixed> */
    private array $post = [];
    /** @var array<array-key, mixed> */
    private array $cookies = [];
    /** @var array<array-key, mixed> */
    private array $files = [];
    /** @var array<array-key, mixed> */
    private array $server = [];
    private ?string $body = null;

    /**
     * @param array<array-key, mixed> $query as $_GET
     * @param array<array-key, mixed> $post as $_POST
     * @param array<array-key, mixed> $cookies as $_COOKIE
     * @param array<array-key, mixed> $files as $_FILES
     * @param array<array-key, mixed> $server as $_SERVER
     * @param string|null $body null: read from php://input when it is asked for
     */
    public function __construct(
        array $query = [],
        array $post = [],
        array $cookies = [],
        array $files = [],
        array $server = [],
        ?string $body = null,
    ) {
        $this->query = $query;
        $this->post = $post;
        $this->cookies = $cookies;
        $this->files = $files;
        $this->server = $server;
        if ($body !== null) {
            $this->body = $body;
        }
    }

    public static function fromGlobals(): self
    {
        return new self($_GET, $_POST, $_COOKIE, $_FILES, $_SERVER);
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
        return $name === null ? $this->query : ($this->query[$name] ?? $default);
    }

    /**
     * One field of a form, or all of them.
     *
     * @return ($name is null ? array<array-key, mixed> : mixed)
     */
    public function post(?string $name = null, mixed $default = null): mixed
    {
        return $name === null ? $this->post : ($this->post[$name] ?? $default);
    }

    /**
     * @return ($name is null ? array<array-key, mixed> : mixed)
     */
    public function cookies(?string $name = null, mixed $default = null): mixed
    {
        return $name === null ? $this->cookies : ($this->cookies[$name] ?? $default);
    }

    /**
     * Uploads, as in $_FILES.
     *
     * @return array<array-key, mixed>
     */
    public function files(): array
    {
        return $this->files;
    }

    /**
     * @return ($name is null ? array<array-key, mixed> : mixed)
     */
    public function server(?string $name = null, mixed $default = null): mixed
    {
        return $name === null ? $this->server : ($this->server[$name] ?? $default);
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
        foreach ($this->server as $key => $value) {
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

    private function serverText(string $name, string $default): string
    {
        $value = $this->server[$name] ?? null;

        return is_string($value) && $value !== '' ? $value : $default;
    }
}
