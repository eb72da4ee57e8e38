<?php

declare(strict_types=1);

namespace Weft\PackageTests;

use Weft\TestSupport\Reply;

/** What is compared of an answer. */
final class Compared
{
    /** What is random or tells the time; nothing else is taken out. */
    private const RANDOM = [
        '/127\.0\.0\.1(:|%3A)\d+/' => 'HOST',
        '/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/' => 'UUID',
        // Livewire's sums of snapshots, tokens of sessions, names of components, in this order
        '/\b[0-9a-f]{64}\b/' => 'SUM',
        '/\b[A-Za-z0-9]{40}\b/' => 'TOKEN',
        '/\b[A-Za-z0-9]{20}\b/' => 'ID',
    ];

    public static function text(Reply $reply): string
    {
        $lines = array_filter($reply->head(), static fn (string $line): bool => !str_starts_with($line, 'phpdebugbar'));
        $debugbar = '';
        foreach ($reply->headers as $name => $values) {
            $debugbar .= str_starts_with($name, 'phpdebugbar') ? implode('', $values) : '';
        }
        $lines[] = self::debugbar(urldecode($debugbar));
        $body = preg_replace_callback('/phpdebugbar\.addDataSet\((\{.*?\}), "\w+"[^)]*\);\n/s', static fn (array $match): string => self::debugbar($match[1]), $reply->body) ?? '';

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
}
