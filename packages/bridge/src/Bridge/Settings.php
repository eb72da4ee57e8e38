<?php

declare(strict_types=1);

namespace Weft\Bridge;

/**
 * What an application tells Weft: config/weft.php of a Laravel or Symfony application, weft.php beside a PHP file that returns
 * a callable. A key that Weft doesn't know would have no effect, so it is refused.
 *
 * @internal
 */
final class Settings
{
    private const SHARED = 'shared';
    private const WARM = 'warm';
    private const COLD = 'cold';
    private const SERVE = 'serve';
    private const BROADCASTING = 'broadcasting';

    /** What is warmed when nothing is said. */
    private const PAGES = ['/'];

    /**
     * @param string $file where they are written, for people
     * @param array<mixed> $values as they are written there
     * @param list<string> $pages to warm
     * @param list<string> $cold patterns of paths that are never learnt from the traffic
     */
    private function __construct(
        private readonly string $file,
        private readonly array $values,
        public readonly array $pages,
        public readonly array $cold = [],
    ) {
    }

    /**
     * Of an application that Weft can warm.
     *
     * @param mixed $values null: there are none
     * @param list<string> $pages that are warmed when they say nothing of it
     * @param bool $broadcasts it may say whether Weft serves what it broadcasts
     * @throws UnusableApplication when they can't be meant
     */
    public static function ofWarmable(string $file, mixed $values, array $pages = self::PAGES, bool $broadcasts = false): self
    {
        $values = self::checked($file, $values ?? [], [self::SHARED, self::WARM, self::COLD, ...($broadcasts ? [self::BROADCASTING] : [])]);
        if (!is_bool($values[self::BROADCASTING] ?? true)) {
            throw new UnusableApplication("$file: \"" . self::BROADCASTING . '" must be true or false.');
        }

        return new self($file, $values, self::paths($file, $values[self::WARM] ?? $pages), self::patterns($file, $values[self::COLD] ?? []));
    }

    /**
     * Of an application that Weft can warm when it is asked to: those in this file, if it is there.
     *
     * @throws UnusableApplication when they can't be meant
     */
    public static function ofWarmableInFile(string $file): self
    {
        return self::ofWarmable($file, is_file($file) ? self::load($file) : null, []);
    }

    /**
     * Of an application of which Weft knows nothing: those in this file, if it is there.
     *
     * @throws UnusableApplication when they can't be meant
     */
    public static function inFile(string $file): self
    {
        $values = is_file($file) ? self::load($file) : [];
        if (is_array($values) && array_key_exists(self::WARM, $values)) {
            throw new UnusableApplication("$file: \"warm\" would have no effect, since Weft knows how to warm Laravel and Symfony applications only. Take it out.");
        }

        // the options of `weft serve` are the command's, which has read them before
        return new self($file, self::checked($file, $values, [self::SHARED, self::SERVE]), []);
    }

    /**
     * Of an application that can't be told anything.
     */
    public static function none(): self
    {
        return new self('', [], []);
    }

    public function shared(): SharedSlots
    {
        return new SharedSlots($this->file, $this->values[self::SHARED] ?? []);
    }

    /**
     * @param list<string> $known
     * @return array<mixed>
     */
    private static function checked(string $file, mixed $values, array $known): array
    {
        if (!is_array($values)) {
            throw new UnusableApplication("$file must return an array of settings; it returned " . get_debug_type($values) . '.');
        }
        if (array_key_exists(self::SERVE, $values) && !in_array(self::SERVE, $known, true)) {
            throw new UnusableApplication("$file: \"" . self::SERVE . '" would have no effect: options are read before the boot. Put it into weft.php in its directory.');
        }
        foreach (array_keys($values) as $key) {
            if (!in_array($key, $known, true)) {
                $names = array_map(static fn (string $name): string => "\"$name\"", $known);
                throw new UnusableApplication("$file: there is no setting \"$key\"." . Spelling::hint("\"$key\"", $names) . ' Known: ' . implode(', ', $names) . '.');
            }
        }

        return $values;
    }

    /**
     * @return list<string>
     */
    private static function paths(string $file, mixed $pages): array
    {
        if ($pages === false) {
            return [];
        }
        $paths = is_array($pages) ? array_filter($pages, static fn (mixed $page): bool => is_string($page) && str_starts_with($page, '/')) : null;
        if ($paths === null || count($paths) !== count($pages)) {
            throw new UnusableApplication("$file: \"warm\" must be false or a list of paths like ['/', '/login'].");
        }

        return array_values($paths);
    }

    /**
     * @return list<string>
     */
    private static function patterns(string $file, mixed $patterns): array
    {
        $texts = is_array($patterns) ? array_filter($patterns, static fn (mixed $text): bool => is_string($text) && str_starts_with($text, '/')) : null;
        if ($texts === null || count($texts) !== count($patterns)) {
            throw new UnusableApplication("$file: \"cold\" must be a list of paths like ['/feed', '/admin/*'].");
        }

        return array_values($texts);
    }

    /**
     * In a scope of its own: the file sees no $this.
     */
    private static function load(string $file): mixed
    {
        return require $file;
    }
}
