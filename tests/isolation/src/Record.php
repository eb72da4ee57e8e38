<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

/** What a worker tells the driver: lines of JSON in a file. It survives a worker that crashes. */
final class Record
{
    /** @var resource */
    private $file;

    public function __construct(string $path)
    {
        $file = fopen($path, 'a');
        $this->file = $file === false ? STDERR : $file;
    }

    /**
     * @param array<mixed> $line
     */
    public function write(array $line): void
    {
        fwrite($this->file, json_encode($line, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
    }

    /**
     * @return list<array<mixed>>
     */
    public static function read(string $path): array
    {
        $lines = [];
        foreach (is_file($path) ? file($path) ?: [] : [] as $line) {
            $value = json_decode($line, true);
            if (is_array($value)) {
                $lines[] = $value;
            }
        }

        return $lines;
    }
}
