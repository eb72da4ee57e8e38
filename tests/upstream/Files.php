<?php

declare(strict_types=1);

namespace Weft\Upstream;

use FilesystemIterator;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use SplFileInfo;
use Weft\TestSupport\Program;

final class Files
{
    /** @return list<string> the files below, or that match the pattern, with this ending, as paths in the tree */
    public static function find(string $tree, string $place, string $ending): array
    {
        $files = str_ends_with($place, $ending) ? (glob("$tree/$place") ?: []) : self::below("$tree/$place", $ending);
        sort($files);

        return array_map(static fn (string $file): string => substr($file, strlen($tree) + 1), $files);
    }

    public static function makeDirectory(string $directory): void
    {
        if (!is_dir($directory)) {
            mkdir($directory, recursive: true);
        }
    }

    /**
     * Runs it in a session of its own, of which nothing is left afterwards: a test that was given up on may compute
     * for ever.
     *
     * @param list<string> $command
     * @param array<string, string> $environment beside the present one
     *
     * @return int its exit status
     */
    public static function execute(array $command, string $log, string $directory, array $environment = []): int
    {
        self::makeDirectory(dirname($log));
        $program = new Program($command, $log, directory: $directory, environment: $environment);
        $status = $program->wait(INF);
        $program->end();

        return $status;
    }

    /** @return list<string> */
    private static function below(string $directory, string $ending): array
    {
        $files = [];
        if (is_dir($directory)) {
            $entries = new RecursiveDirectoryIterator($directory, FilesystemIterator::SKIP_DOTS);
            /** @var SplFileInfo $file */
            foreach (new RecursiveIteratorIterator($entries) as $file) {
                if (str_ends_with($file->getPathname(), $ending)) {
                    $files[] = $file->getPathname();
                }
            }
        }

        return $files;
    }
}
