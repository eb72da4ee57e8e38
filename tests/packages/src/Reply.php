<?php

declare(strict_types=1);

namespace Weft\PackageTests;

/** What a server has answered. */
final class Reply
{
    /** What belongs to the server and not to the application. */
    private const HEADERS_OF_SERVERS = ['connection', 'content-length', 'date', 'host', 'keep-alive', 'server', 'transfer-encoding', 'x-powered-by'];

    /** What is random or tells the time; nothing else is taken out. */
    private const RANDOM = [
        '/127\.0\.0\.1(:|%3A)\d+/' => 'HOST',
        '/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/' => 'UUID',
        // Livewire's sums of snapshots, tokens of sessions, names of components, in this order
        '/\b[0-9a-f]{64}\b/' => 'SUM',
        '/\b[A-Za-z0-9]{40}\b/' => 'TOKEN',
        '/\b[A-Za-z0-9]{20}\b/' => 'ID',
    ];

    /**
     * @param array<string, list<string>> $headers
     */
    public function __construct(public readonly int $status, public readonly array $headers, public readonly string $body)
    {
    }

    /** What is compared. */
    public function text(): string
    {
        $lines = ["$this->status"];
        $debugbar = '';
        foreach ($this->headers as $name => $values) {
            if (str_starts_with($name, 'phpdebugbar')) {
                $debugbar .= implode('', $values);
                continue;
            }
            foreach (in_array($name, self::HEADERS_OF_SERVERS, true) ? [] : $values as $value) {
                // what a cookie holds is encrypted, and its time goes on
                $lines[] = "$name: " . ($name === 'set-cookie' ? preg_replace(['/^([^=;]*)=[^;]*/', '/; (expires|Max-Age)=[^;]*/i'], ['$1', ''], $value) : $value);
            }
        }
        sort($lines);
        $lines[] = self::debugbar(urldecode($debugbar));
        $body = preg_replace_callback('/phpdebugbar\.addDataSet\((\{.*?\}), "\w+"[^)]*\);\n/s', static fn (array $match): string => self::debugbar($match[1]), $this->body) ?? '';

        return preg_replace(array_keys(self::RANDOM), array_values(self::RANDOM), implode("\n", $lines) . "\n$body") ?? '';
    }

    /** Of what Debugbar tells of a request: who asked for what. The rest is times, places and memory. */
    private static function debugbar(string $json): string
    {
        $data = json_decode($json, true);
        $data = is_array($data) ? $data : [];
        $first = reset($data);
        $data = is_array($first) && isset($first['data']) ? $first['data'] : $data;
        $picked = [];
        foreach ([['__meta', 'uri'], ['auth', 'names'], ['request', 'data', 'uri'], ['request', 'data', 'status'], ['exceptions', 'count'], ['views', 'nb_templates']] as $keys) {
            $value = $data;
            foreach ($keys as $key) {
                $value = is_array($value) ? $value[$key] ?? null : null;
            }
            $picked[] = $value;
        }

        return $json === '' ? '' : 'DEBUGBAR ' . json_encode($picked, JSON_UNESCAPED_SLASHES);
    }

    /** The first group of a pattern in the body; empty: it is not there. */
    public function find(string $pattern): string
    {
        return preg_match($pattern, $this->body, $match) === 1 ? $match[1] ?? '' : '';
    }

    /** A string deep in a body of JSON. */
    public function value(string|int ...$keys): ?string
    {
        $value = json_decode($this->body, true);
        foreach ($keys as $key) {
            $value = is_array($value) ? $value[$key] ?? null : null;
        }

        return is_string($value) ? $value : null;
    }
}
