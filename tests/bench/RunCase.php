<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use PHPUnit\Framework\TestCase;
use Weft\Bench\Program;
use Weft\Bench\Run;

/** Puts results into directories that are gone when the test is. */
abstract class RunCase extends TestCase
{
    /** @var list<string> */
    private array $directories = [];

    protected function tearDown(): void
    {
        Program::run(['rm', '-rf', ...$this->directories]);
        parent::tearDown();
    }

    protected function directory(): string
    {
        $directory = sys_get_temp_dir() . '/weft-bench-' . bin2hex(random_bytes(6));
        mkdir($directory);

        return $this->directories[] = $directory;
    }

    /** @param array<string, mixed>|string $raw what raw.json holds */
    protected function stored(array|string $raw): string
    {
        $directory = $this->directory();
        file_put_contents("$directory/raw.json", is_string($raw) ? $raw : json_encode($raw, JSON_THROW_ON_ERROR));

        return $directory;
    }

    /** @param array<string, mixed>|string $raw */
    protected function load(array|string $raw): Run
    {
        return Run::load($this->stored($raw));
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
            'format' => 2, 'started' => 'then', 'finished' => 'later', 'profile' => 'full', 'arms' => ['weft' => ['title' => 'Weft'], 'fpm' => ['title' => 'PHP-FPM']],
            'suites' => ['s' => ['title' => 'The suite', 'baseline' => $baseline]], 'rows' => $rows,
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
        return $more + ['suite' => 's', 'arm' => $arm, 'workload' => '/w', 'parameters' => $parameters, 'metrics' => [$metric => $rounds]];
    }
}
