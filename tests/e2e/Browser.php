<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use CurlHandle;
use RuntimeException;

/**
 * A client with a cookie jar of its own. Without cookies, a new one for every request will do.
 */
final class Browser
{
    private const TIMEOUT = 60;

    /** @var array<string, string> */
    private array $cookies = [];

    public function __construct(private readonly string $url)
    {
    }

    /** @param list<string> $headers */
    public function get(string $path, array $headers = []): Reply
    {
        return self::together([fn (): array => [$this, $this->request($path, null, $headers)]])[0];
    }

    /** @param list<string> $headers */
    public function getJson(string $path, array $headers = []): Reply
    {
        return $this->get($path, ['Accept: application/json', ...$headers]);
    }

    public function head(string $path): Reply
    {
        $handle = $this->request($path, null, []);
        curl_setopt($handle, CURLOPT_NOBODY, true);

        return self::together([fn (): array => [$this, $handle]])[0];
    }

    /**
     * Fetches the form first, as people do, for its token.
     *
     * @param array<string, mixed> $fields
     * @param list<string> $headers
     */
    public function submit(string $path, array $fields, array $headers = [], ?string $formAt = null): Reply
    {
        $form = $this->get($formAt ?? $path);
        if (preg_match('/name="_token" value="([^"]+)"/', $form->body, $match) !== 1) {
            throw new RuntimeException("No form at $path: status $form->status");
        }
        $fields['_token'] = $match[1];

        return self::together([fn (): array => [$this, $this->request($path, $fields, $headers)]])[0];
    }

    public function follow(Reply $reply): Reply
    {
        $location = $reply->header('location');
        if ($location === '') {
            throw new RuntimeException("Status $reply->status is no redirect");
        }

        return $this->get((string) preg_replace('~^https?://[^/]+~', '', $location));
    }

    /**
     * Sends requests, at most `$atOnce` of them at any moment; replies come in the order of the requests.
     *
     * @template K of array-key
     * @param iterable<K, callable(): array{self, CurlHandle}> $requests
     * @return array<K, Reply>
     */
    public static function together(iterable $requests, int $atOnce = PHP_INT_MAX): array
    {
        /** @var Exchange<K> $exchange */
        $exchange = new Exchange();
        foreach ($requests as $key => $request) {
            $exchange->roomFor($atOnce);
            [$browser, $handle] = $request();
            $exchange->add($key, $handle, $browser->remember(...));
        }

        return $exchange->finish();
    }

    /**
     * @param array<string, mixed>|null $fields null for GET
     * @param list<string> $headers
     */
    public function request(string $path, ?array $fields = null, array $headers = []): CurlHandle
    {
        $handle = curl_init($this->url . $path);
        if ($this->cookies !== []) {
            $pairs = array_map(fn (string $name): string => "$name={$this->cookies[$name]}", array_keys($this->cookies));
            $headers[] = 'Cookie: ' . implode('; ', $pairs);
        }
        curl_setopt_array($handle, [CURLOPT_TIMEOUT => self::TIMEOUT, CURLOPT_HTTPHEADER => ['Expect:', ...$headers]]);
        if ($fields !== null) {
            $files = array_filter($fields, fn (mixed $value): bool => $value instanceof \CURLFile || $value instanceof \CURLStringFile);
            curl_setopt($handle, CURLOPT_POSTFIELDS, $files === [] ? http_build_query($fields) : $fields);
        }

        return $handle;
    }

    private function remember(string $cookie): void
    {
        [$name, $value] = explode('=', explode(';', $cookie)[0], 2) + [1 => ''];
        $this->cookies[trim($name)] = $value;
    }
}
