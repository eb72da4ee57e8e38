<?php

declare(strict_types=1);

namespace Weft\Broadcasting;

/**
 * A request to the HTTP API.
 *
 * @internal
 */
final class ApiRequest
{
    /**
     * @param string $path as it was signed: from /apps/ on
     * @param array<array-key, mixed> $query
     */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly array $query,
        public readonly string $body,
    ) {
    }

    public function text(string $name): ?string
    {
        $value = $this->query[$name] ?? null;

        return is_string($value) ? $value : null;
    }

    /**
     * What is asked for about channels, as "user_count,subscription_count".
     *
     * @return list<string>
     */
    public static function names(mixed $info): array
    {
        $names = is_string($info) ? explode(',', $info) : $info;

        return is_array($names) ? array_values(array_filter($names, is_string(...))) : [];
    }
}
