<?php

declare(strict_types=1);

namespace Weft\Bridge\Laravel;

use Illuminate\Database\Connection;
use Illuminate\Database\DatabaseManager;
use Illuminate\Foundation\Application as Laravel;

/**
 * Laravel's database connections.
 *
 * @internal
 */
final class Connections
{
    /**
     * Those that have been made; the manager itself is not made for that.
     *
     * @return array<Connection>
     */
    public static function of(Laravel $laravel): array
    {
        return $laravel->resolved('db') ? $laravel->make(DatabaseManager::class)->getConnections() : [];
    }
}
