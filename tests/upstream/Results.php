<?php

declare(strict_types=1);

namespace Weft\Upstream;

/**
 * Outcomes on disk, a file for each mode and place, so that a later run can do one of them and compare.
 */
final class Results
{
    public function __construct(private readonly string $home)
    {
    }

    /** @return array<string, string>|null outcomes by test; null when nothing is stored */
    public function load(Mode $mode, string $directory): ?array
    {
        $file = $this->file($mode, $directory);
        if (!is_file($file)) {
            return null;
        }
        $outcomes = [];
        foreach ((array) file($file, FILE_IGNORE_NEW_LINES) as $line) {
            [$outcome, $test] = explode("\t", (string) $line, 2) + [1 => ''];
            $outcomes[$test] = $outcome;
        }

        return $outcomes;
    }

    /** @param array<string, string> $outcomes */
    public function save(Mode $mode, string $directory, array $outcomes): void
    {
        ksort($outcomes);
        $lines = '';
        foreach ($outcomes as $test => $outcome) {
            $lines .= "$outcome\t$test\n";
        }
        Files::makeDirectory(dirname($this->file($mode, $directory)));
        file_put_contents($this->file($mode, $directory), $lines);
    }

    private function file(Mode $mode, string $directory): string
    {
        return "$this->home/$mode->value/" . strtr($directory, ['/' => '-', '*' => 'x']) . '.tsv';
    }
}
