<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use PHPUnit\Framework\TestCase;
use Weft\Bench\Report\Run;

/** Puts results into directories that are gone when the test is. */
abstract class RunCase extends TestCase
{
    /** @var list<string> */
    private array $directories = [];

    protected function tearDown(): void
    {
        foreach ($this->directories as $directory) {
            foreach (glob("$directory/*") ?: [] as $file) {
                unlink($file);
            }
            rmdir($directory);
        }
        parent::tearDown();
    }

    /** @param array<string, mixed>|string $raw what raw.json holds */
    protected function directory(array|string $raw): string
    {
        $directory = sys_get_temp_dir() . '/weft-bench-' . bin2hex(random_bytes(6));
        mkdir($directory);
        $this->directories[] = $directory;
        file_put_contents("$directory/raw.json", is_string($raw) ? $raw : json_encode($raw, JSON_THROW_ON_ERROR));

        return $directory;
    }

    /** @param array<string, mixed>|string $raw */
    protected function load(array|string $raw): Run
    {
        return Run::load($this->directory($raw));
    }

    /**
     * One suite with these rows, and nothing else.
     *
     * @param list<array<string, mixed>> $rows
     *
     * @return array<string, mixed>
     */
    protected static function suite(array $rows, string $baseline = 'fpm'): array
    {
        return [
            'format' => 1, 'complete' => true, 'started' => 'then', 'finished' => 'later', 'profile' => 'full',
            'arms' => [['name' => 'weft', 'title' => 'Weft'], ['name' => 'fpm', 'title' => 'PHP-FPM']],
            'suites' => [['name' => 's', 'title' => 'The suite', 'baseline' => $baseline, 'rows' => $rows]],
        ];
    }

    /**
     * @param list<float|int>           $rounds
     * @param array<string, int|string> $parameters
     * @param array<string, mixed>      $more
     *
     * @return array<string, mixed>
     */
    protected static function row(string $arm, array $rounds, string $metric = 'throughput', array $parameters = [], array $more = []): array
    {
        $better = $metric === 'throughput' ? 'higher' : 'lower';

        return $more + ['arm' => $arm, 'workload' => '/w', 'parameters' => $parameters, 'metrics' => [$metric => ['unit' => 'u', 'better' => $better, 'rounds' => $rounds]]];
    }
}
