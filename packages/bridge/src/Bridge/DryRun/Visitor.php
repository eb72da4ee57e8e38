<?php

declare(strict_types=1);

namespace Weft\Bridge\DryRun;

/**
 * A made-up client of made-up requests. Two of them have nothing in common but the page they ask for: what differs
 * between their requests is state of the request.
 *
 *     Visitor::first()->arrive('/posts?page=2');     // the superglobals are those of such a request
 *
 * @internal
 */
final class Visitor
{
    /**
     * @param array<string, string> $cookies
     * @param array<string, string> $query added to what the URL has
     */
    public function __construct(
        public readonly string $name,
        private readonly string $host,
        private readonly string $address,
        private readonly string $agent,
        private readonly string $languages,
        private readonly array $query,
        private readonly array $cookies,
        /** is logged in, where the application knows how */
        public readonly bool $member = false,
        /** @var array<string, string> */
        private readonly array $headers = [],
    ) {
    }

    public static function first(): self
    {
        return new self(
            'first',
            'first.weft.test',
            '192.0.2.10',
            'Mozilla/5.0 (X11; Linux x86_64) WeftFirst/1.0',
            'de-DE,de;q=0.9',
            ['weft_visitor' => 'first'],
            ['weft_visitor' => 'first', 'weft_first' => 'f1f1f1f1'],
        );
    }

    public static function second(): self
    {
        return new self(
            'second',
            'second.weft.test:8443',
            '198.51.100.77',
            'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) WeftSecond/2.0',
            'ja,fr;q=0.7',
            ['weft_visitor' => 'second', 'weft_page' => '2'],
            ['weft_visitor' => 'second'],
        );
    }

    public static function third(): self
    {
        return new self(
            'third',
            'third.weft.test',
            '203.0.113.5',
            'Mozilla/5.0 (Windows NT 10.0; Win64; x64) WeftThird/3.0',
            'pt-BR,pt;q=0.8,en;q=0.5',
            ['weft_visitor' => 'third', 'weft_third' => '3'],
            ['weft_visitor' => 'third'],
        );
    }

    /** The same client, logged in. */
    public function loggedIn(): self
    {
        return new self(
            "$this->name, logged in",
            $this->host,
            $this->address,
            $this->agent,
            $this->languages,
            $this->query,
            $this->cookies,
            true,
        );
    }

    /**
     * The same client, who sends these as well.
     *
     * @param array<string, string> $headers
     * @param array<string, string> $cookies
     */
    public function sending(array $headers, array $cookies): self
    {
        return new self(
            $this->name,
            $this->host,
            $this->address,
            $this->agent,
            $this->languages,
            $this->query,
            $cookies + $this->cookies,
            $this->member,
            $headers + $this->headers,
        );
    }

    /**
     * Fills the superglobals with a GET request of this visitor. Inside a domain they are the domain's.
     */
    public function arrive(string $url): void
    {
        [$path, $given] = explode('?', $url, 2) + [1 => ''];
        $query = implode('&', array_filter([$given, http_build_query($this->query)], static fn (string $part): bool => $part !== ''));
        parse_str($query, $_GET);
        $_COOKIE = $this->cookies;
        $_POST = $_FILES = [];
        $_REQUEST = $_GET + $_COOKIE;
        [$name, $port] = explode(':', $this->host, 2) + [1 => '80'];
        $_SERVER = [
            ...array_filter($_SERVER, static fn (string $key): bool => !str_starts_with($key, 'HTTP_'), ARRAY_FILTER_USE_KEY),
            'REQUEST_METHOD' => 'GET',
            'REQUEST_URI' => "$path?$query",
            'QUERY_STRING' => $query,
            'REQUEST_SCHEME' => 'http',
            'REQUEST_TIME' => time(),
            'REQUEST_TIME_FLOAT' => microtime(true),
            'SERVER_PROTOCOL' => 'HTTP/1.1',
            'SERVER_NAME' => $name,
            'SERVER_ADDR' => '127.0.0.1',
            'SERVER_PORT' => $port,
            'SCRIPT_NAME' => '/index.php',
            'PHP_SELF' => '/index.php',
            'REMOTE_ADDR' => $this->address,
            'REMOTE_PORT' => '40000',
            'HTTP_HOST' => $this->host,
            'HTTP_USER_AGENT' => $this->agent,
            'HTTP_ACCEPT' => 'text/html',
            'HTTP_ACCEPT_LANGUAGE' => $this->languages,
            'HTTP_COOKIE' => http_build_query($this->cookies, '', '; '),
        ];
        foreach ($this->headers as $name => $value) {
            $key = strtoupper(strtr($name, '-', '_'));
            $_SERVER[in_array($key, ['CONTENT_TYPE', 'CONTENT_LENGTH'], true) ? $key : "HTTP_$key"] = $value;
        }
    }
}
