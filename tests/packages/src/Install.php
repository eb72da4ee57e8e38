<?php

declare(strict_types=1);

namespace Weft\PackageTests;

use RuntimeException;
use stdClass;

/** Laravel and those of the packages that Composer can get, below var/packages/composer. */
final class Install
{
    private const FRAMEWORK = 'laravel/framework';

    public function __construct(private readonly string $root, private readonly string $directory)
    {
    }

    /** Asks Composer for all, then without those that it says it can't have. */
    public function run(): void
    {
        $wanted = (array) ($this->read("$this->root/tests/packages/composer.json")->require ?? []);
        do {
            $this->write($wanted);
            exec('cd ' . escapeshellarg($this->directory) . ' && composer update --no-interaction --no-progress --prefer-dist 2>&1', $lines, $status);
            $output = implode("\n", $lines);
            echo "$output\n";
            $lines = [];
            preg_match_all('~Root composer\.json requires ([a-z0-9._/-]+)~', $output, $match);
            $refused = array_diff(array_intersect($match[1], array_keys($wanted)), [self::FRAMEWORK]);
            $wanted = array_diff_key($wanted, array_flip($refused));
        } while ($status !== 0 && $refused !== []);
        if ($status !== 0) {
            throw new RuntimeException('Composer can install none of it.');
        }
    }

    /**
     * @param array<mixed> $wanted
     */
    private function write(array $wanted): void
    {
        // where the mirror lacks parts of Laravel, tools/composer-install has found stand-ins for the example
        $example = "$this->root/examples/laravel";
        $base = $this->read(is_file("$example/composer.local.json") ? "$example/composer.local.json" : "$example/composer.json");
        $project = [
            'name' => 'example/packages-vendor', 'repositories' => $base->repositories ?? [], 'require' => [
                ...(array) ($base->require ?? []),
                ...$wanted,
            ], 'config' => ['allow-plugins' => false],
        ];
        file_put_contents("$this->directory/composer.json", json_encode(array_filter($project), JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR));
    }

    /** As objects: an empty one must not become a list. */
    private function read(string $file): stdClass
    {
        $read = json_decode((string) file_get_contents($file), false, 64, JSON_THROW_ON_ERROR);

        return $read instanceof stdClass ? $read : throw new RuntimeException("$file holds no object.");
    }
}
