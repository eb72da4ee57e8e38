<?php

declare(strict_types=1);

namespace Weft\Bridge\WarmUp;

/**
 * The files that an application was booted from, to see whether one is another by now.
 *
 * @internal
 */
final class BootFiles
{
    /**
     * @param array<string, string> $states by path
     */
    private function __construct(private readonly array $states)
    {
    }

    public static function now(): self
    {
        $states = [];
        foreach (get_included_files() as $file) {
            $states[$file] = self::state($file);
        }

        return new self($states);
    }

    /**
     * One that has changed; null: none has. Those that requests have had compiled since are looked at as well, where OPcache
     * looks at them: else what it has is what new workers get.
     */
    public function changed(): ?string
    {
        clearstatcache();
        foreach ($this->states as $file => $state) {
            if (self::state($file) !== $state) {
                return $file;
            }
        }
        foreach (self::compiledAt() as $file => $time) {
            if (@filemtime($file) !== $time) {
                return $file;
            }
        }

        return null;
    }

    private static function state(string $file): string
    {
        $status = @stat($file);

        return $status === false ? '' : "$status[dev] $status[ino] $status[size] $status[mtime] $status[ctime]";
    }

    /**
     * @return array<string, int>
     */
    private static function compiledAt(): array
    {
        $status = function_exists('opcache_get_status') ? @opcache_get_status(true) : false;
        $times = [];
        foreach (is_array($status) && is_array($status['scripts'] ?? null) ? $status['scripts'] : [] as $file => $script) {
            $time = is_array($script) ? $script['timestamp'] ?? 0 : 0;
            if (is_string($file) && is_int($time) && $time > 0) {
                $times[$file] = $time;
            }
        }

        return $times;
    }
}
