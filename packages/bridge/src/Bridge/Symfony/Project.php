<?php

declare(strict_types=1);

namespace Weft\Bridge\Symfony;

/**
 * Where a Symfony project has its parts, by Symfony's conventions and by what its composer.json says. Nothing of it is
 * executed.
 *
 * @internal
 */
final class Project
{
    /** @var array<mixed> */
    private readonly array $composer;

    public function __construct(public readonly string $directory)
    {
        $json = is_readable("$directory/composer.json") ? (string) file_get_contents("$directory/composer.json") : '';
        $composer = json_decode($json, true);
        $this->composer = is_array($composer) ? $composer : [];
    }

    public static function isIn(string $directory): bool
    {
        $project = new self($directory);

        return $project->usesRuntime() || $project->hasKernel();
    }

    public function publicDirectory(): string
    {
        return "$this->directory/" . $this->name('extra', 'public-dir', 'public');
    }

    public function vendorDirectory(): string
    {
        return "$this->directory/" . $this->name('config', 'vendor-dir', 'vendor');
    }

    public function frontController(): string
    {
        return $this->publicDirectory() . '/index.php';
    }

    /**
     * Whether the front controller returns the application, for symfony/runtime to run.
     */
    public function usesRuntime(): bool
    {
        return $this->frontControllerNames('autoload_runtime.php');
    }

    /**
     * Whether the front controller has this in its text.
     */
    public function frontControllerNames(string $name): bool
    {
        $file = $this->frontController();

        return is_readable($file) && str_contains((string) file_get_contents($file), $name);
    }

    public function hasKernel(): bool
    {
        return is_file($this->kernelFile())
            && (is_file("$this->directory/config/bundles.php") || is_file("$this->directory/bin/console"));
    }

    /**
     * The class that src/Kernel.php has in its namespace.
     */
    public function kernelClass(): string
    {
        $found = preg_match('/^\s*namespace\s+([\w\\\\]+)\s*[;{]/m', (string) file_get_contents($this->kernelFile()), $match);

        return ($found === 1 ? "$match[1]\\" : '') . 'Kernel';
    }

    /**
     * What composer.json tells symfony/runtime: its class, and options for it.
     *
     * @return array<mixed>
     */
    public function runtime(): array
    {
        $runtime = $this->section('extra')['runtime'] ?? [];

        return is_array($runtime) ? $runtime : [];
    }

    private function kernelFile(): string
    {
        return "$this->directory/src/Kernel.php";
    }

    private function name(string $section, string $key, string $default): string
    {
        $name = $this->section($section)[$key] ?? $default;

        return is_string($name) ? trim($name, '/') : $default;
    }

    /**
     * @return array<mixed>
     */
    private function section(string $name): array
    {
        $section = $this->composer[$name] ?? [];

        return is_array($section) ? $section : [];
    }
}
