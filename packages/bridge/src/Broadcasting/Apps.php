<?php

declare(strict_types=1);

namespace Weft\Broadcasting;

/**
 * The applications that are served.
 *
 * @internal
 */
final class Apps
{
    /** @var array<array-key, App> */
    private readonly array $byKey;
    /** @var array<array-key, App> */
    private readonly array $byId;

    public function __construct(App ...$apps)
    {
        $this->byKey = array_column($apps, null, 'key');
        $this->byId = array_column($apps, null, 'id');
    }

    public function byKey(string $key): ?App
    {
        return $this->byKey[$key] ?? null;
    }

    public function byId(string $id): ?App
    {
        return $this->byId[$id] ?? null;
    }

    /**
     * @return list<App>
     */
    public function all(): array
    {
        return array_values($this->byKey);
    }
}
