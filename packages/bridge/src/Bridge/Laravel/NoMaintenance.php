<?php

declare(strict_types=1);

namespace Weft\Bridge\Laravel;

use Illuminate\Contracts\Foundation\MaintenanceMode;

/**
 * For made-up requests: the application as it is outside of maintenance.
 *
 * @internal
 */
final class NoMaintenance implements MaintenanceMode
{
    /**
     * @param array<mixed> $payload
     */
    public function activate(array $payload): void
    {
    }

    public function deactivate(): void
    {
    }

    public function active(): bool
    {
        return false;
    }

    /**
     * @return array<mixed>
     */
    public function data(): array
    {
        return [];
    }
}
