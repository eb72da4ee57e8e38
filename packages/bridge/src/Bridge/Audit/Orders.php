<?php

declare(strict_types=1);

namespace Weft\Bridge\Audit;

/**
 * What the command wants: JSON in the first argument.
 *
 * @internal
 */
final class Orders
{
    /**
     * @param list<string> $urls to ask for besides those that the application names
     * @param bool $urlsOnly not those that the application names
     * @param list<string> $skip not to ask for: an earlier process has, or has died of it
     * @param list<string> $repeated not to repeat: an earlier process has
     * @param int $growth how often to repeat each page; 0: not at all
     * @param int $growthSeconds how long to repeat one page at most
     * @param bool $cold no warm-up
     * @param array<string, string> $headers that the visitors send besides their own
     * @param array<string, string> $cookies likewise
     * @param string $as the user who asks; empty: nobody is logged in
     */
    private function __construct(
        public readonly string $application,
        public readonly array $urls,
        public readonly bool $urlsOnly,
        public readonly array $skip,
        public readonly array $repeated,
        public readonly int $growth,
        public readonly int $growthSeconds,
        public readonly bool $cold,
        public readonly array $headers,
        public readonly array $cookies,
        public readonly string $as,
    ) {
    }

    public static function fromCommandLine(): self
    {
        $arguments = $_SERVER['argv'] ?? [];
        $json = is_array($arguments) ? ($arguments[1] ?? null) : null;
        $orders = is_string($json) ? json_decode($json, true) : null;
        $orders = is_array($orders) ? $orders : [];
        $application = $orders['application'] ?? '';
        $growth = $orders['growth'] ?? 0;
        $growthSeconds = $orders['growthSeconds'] ?? 0;

        return new self(
            is_string($application) ? $application : '',
            self::texts($orders['urls'] ?? []),
            ($orders['urlsOnly'] ?? false) === true,
            self::texts($orders['skip'] ?? []),
            self::texts($orders['repeated'] ?? []),
            is_int($growth) ? $growth : 0,
            is_int($growthSeconds) ? $growthSeconds : 0,
            ($orders['cold'] ?? false) === true,
            self::named($orders['headers'] ?? []),
            self::named($orders['cookies'] ?? []),
            is_string($orders['as'] ?? null) ? $orders['as'] : '',
        );
    }

    /**
     * @return array<string, string>
     */
    private static function named(mixed $values): array
    {
        $named = [];
        foreach (is_array($values) ? $values : [] as $name => $value) {
            if (is_string($value)) {
                $named[(string) $name] = $value;
            }
        }

        return $named;
    }

    /**
     * @return list<string>
     */
    private static function texts(mixed $values): array
    {
        return array_values(array_filter(is_array($values) ? $values : [], is_string(...)));
    }
}
