<?php

declare(strict_types=1);

namespace Weft\Bridge\Laravel;

use Illuminate\Contracts\Cache\Repository;
use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Foundation\Application as Laravel;
use Throwable;
use Weft\Broadcasting\Memory;

/**
 * The last events of channels, in the application's cache, which all workers and machines share.
 *
 * @internal
 */
final class LastEvents implements Memory
{
    private const PREFIX = 'weft:broadcasting:';
    /** As long as Pusher does. */
    private const SECONDS = 1800;

    public function __construct(private readonly Laravel $laravel)
    {
    }

    public function keep(string $room, string $message): void
    {
        $this->attempt(static fn (Repository $cache): bool => $cache->put(self::PREFIX . $room, $message, self::SECONDS));
    }

    public function last(string $room): ?string
    {
        $message = $this->attempt(static fn (Repository $cache): mixed => $cache->get(self::PREFIX . $room));

        return is_string($message) ? $message : null;
    }

    /**
     * A cache that can't be reached is no reason to send nothing.
     *
     * @param callable(Repository): mixed $what
     */
    private function attempt(callable $what): mixed
    {
        try {
            return $what($this->laravel->make(Repository::class));
        } catch (Throwable $problem) {
            $this->laravel->make(ExceptionHandler::class)->report($problem);

            return null;
        }
    }
}
