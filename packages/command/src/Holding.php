<?php

declare(strict_types=1);

namespace Weft\Command;

use Weft\Command\Control\Directory;

/**
 * What holds for an option of `weft serve`, in words, as far as it can be known before the application boots.
 *
 * @internal
 */
final class Holding
{
    public function __construct(private readonly ServeOptions $options)
    {
    }

    /**
     * @param mixed $value as it was given, or the default
     */
    public function of(string $option, mixed $value): string
    {
        $options = $this->options;

        return match ($option) {
            'workers' => (string) $options->workers,
            'log' => $value === 'auto' ? ($options->logJson ? 'json' : 'text') : self::text($value),
            'watch' => $options->watch ? 'on' : 'off',
            'reload-grace' => self::seconds($options->reloadGrace),
            default => $value === null || $value === [] || $value === 'auto' ? $this->default($option) : self::text($value),
        };
    }

    private function default(string $option): string
    {
        return match ($option) {
            'user' => 'who starts it',
            'group' => $this->options->user === null ? 'that of who starts it' : "that of {$this->options->user}",
            'concurrency' => $this->directive('weft.http_concurrency', '4096'),
            'request-timeout' => self::seconds((int) $this->directive('weft.http_request_timeout_ms', '30000') / 1000),
            'max-memory' => self::memory($this->directive('weft.max_memory', 'auto')),
            'warm' => $this->options->warm === false ? 'off' : 'what config/weft.php says, else / with Laravel, off without',
            'learn' => $this->options->warm === false || $this->options->watch ? 'off' : '8 where pages are warmed',
            'control' => 'in ' . ($this->options->user === null ? implode(', or ', Directory::candidates()) : Directory::of($this->options->user)),
            'public' => 'that of a framework',
            'cache-control' => '/build/assets/*: public, max-age=31536000, immutable',
            'slow' => self::slow((int) $this->directive('weft.http_slow_ms', '0')),
            default => 'none',
        };
    }

    /**
     * What -d says, or the php.ini of this process, which is that of the application.
     */
    private function directive(string $name, string $default): string
    {
        $set = get_cfg_var($name);
        $value = is_string($set) && $set !== '' ? $set : $default;
        foreach ($this->options->ini as $directive) {
            [$of, $says] = [...explode('=', $directive, 2), ''];
            $value = $of === $name ? $says : $value;
        }

        return $value;
    }

    private static function memory(string $limit): string
    {
        return $limit === 'auto' ? '80 % of the machine or container, by workers' : $limit;
    }

    private static function slow(int $milliseconds): string
    {
        return $milliseconds === 0 ? 'off' : "{$milliseconds}ms";
    }

    private static function seconds(float $seconds): string
    {
        return "{$seconds}s";
    }

    private static function text(mixed $value): string
    {
        return match (true) {
            is_bool($value) => $value ? 'on' : 'off',
            is_array($value) => implode(' ', array_filter($value, is_string(...))),
            default => is_scalar($value) ? (string) $value : '',
        };
    }
}
