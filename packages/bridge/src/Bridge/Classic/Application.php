<?php

declare(strict_types=1);

namespace Weft\Bridge\Classic;

use Closure;
use Weft\Bridge;
use Weft\Bridge\DryRun\NoSafeguards;
use Weft\Bridge\Settings;
use Weft\Bridge\UnusableApplication;

use function Weft\Internal\serve_scripts;

/**
 * PHP scripts, executed from their first line in each request, as PHP-FPM does behind a web server with a front
 * controller. Nothing of the application is loaded before a request asks for it.
 *
 * @internal
 */
final class Application implements Bridge\Application
{
    /** Where the document root may be; the directory itself otherwise. */
    private const PUBLIC = ['public', 'web', 'webroot', 'htdocs'];

    private readonly string $root;

    public function __construct(private readonly string $directory)
    {
        $this->root = self::documentRoot($directory);
    }

    public static function isIn(string $directory): bool
    {
        $scripts = glob(self::pattern(self::documentRoot($directory)) . '/*.php');

        return $scripts !== false && $scripts !== [];
    }

    /**
     * What isIn() looks for, for people.
     */
    public static function description(): string
    {
        return 'PHP script in it, or in its ' . implode('/, ', self::PUBLIC) . '/';
    }

    public function path(): string
    {
        return $this->directory;
    }

    public function workingDirectory(): string
    {
        return $this->root;
    }

    /**
     * The extension finds files where it finds scripts.
     */
    public function publicDirectory(): null
    {
        return null;
    }

    public function check(): void
    {
        if (!is_readable($this->root)) {
            throw UnusableApplication::forbidden($this->root, 'read');
        }
    }

    public function boot(): void
    {
        serve_scripts($this->root);
    }

    public function mayBootTwice(): bool
    {
        return false;
    }

    /**
     * The extension executes scripts, and answers everything else, itself.
     */
    public function handler(): Closure
    {
        return static function (): void {
            http_response_code(404);
        };
    }

    public function describe(): string
    {
        return "PHP scripts ($this->root)";
    }

    public function advice(): ?string
    {
        return null;
    }

    public function safeguards(): NoSafeguards
    {
        return new NoSafeguards();
    }

    public function settings(): Settings
    {
        return Settings::none();
    }

    public function pages(): array
    {
        return [];
    }

    private static function documentRoot(string $directory): string
    {
        foreach (self::PUBLIC as $name) {
            if (is_file("$directory/$name/index.php")) {
                return "$directory/$name";
            }
        }

        return $directory;
    }

    /**
     * A path whose characters mean themselves to glob().
     */
    private static function pattern(string $path): string
    {
        return (string) preg_replace('/[*?[\\\\]/', '\\\\$0', $path);
    }
}
