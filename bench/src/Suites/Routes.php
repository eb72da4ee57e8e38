<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

/** Pages of examples/laravel, what a right answer contains, and how often they ask the database. */
final class Routes
{
    /** @var array<string, array{string, string, int}> path, needle, queries by workload */
    public const DATABASE = [
        '/hello' => ['/hello', '"message":"Hello"', 0],
        '/test' => ['/test', '"ok":true', 1],
        '/bench' => ['/bench?n=10', '"latest_views":', 10],
        '/bench?n=5' => ['/bench?n=5', '"totals":', 5],
    ];

    /** Arms that serve the application. */
    public const LARAVEL_ARMS = ['weft', 'fpm', 'fpm-no-opcache', 'octane-swoole', 'octane-frankenphp'];

    /** @return array{int, string, string} for Load, with the answer's own account of its time */
    public static function kind(string $workload): array
    {
        [$path, $needle] = self::DATABASE[$workload];

        return [1, $path . (str_contains($path, '?') ? '&' : '?') . 'timing=1', $needle];
    }
}
