<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Lazy;

use Weft\IsolationTests\Window;

/** A stream wrapper that lets others run in the middle of an open. What it opens is its own path; "no" can't be opened. */
final class Waiting
{
    public static ?Window $window = null;

    /** @var resource|null */
    public $context;

    private string $rest = '';

    public function stream_open(string $path): bool
    {
        self::$window?->open();
        $this->rest = $path;

        return !str_ends_with($path, '/no');
    }

    /** SplFileObject looks whether it is a directory, and without this would fail there, before anybody has waited. */
    public function url_stat(string $path): false
    {
        return false;
    }

    public function dir_opendir(string $path): bool
    {
        return $this->stream_open($path);
    }

    public function stream_read(int $count): string
    {
        $piece = substr($this->rest, 0, $count);
        $this->rest = substr($this->rest, $count);

        return $piece;
    }

    public function stream_eof(): bool
    {
        return $this->rest === '';
    }

    /**
     * @return array<string, int>
     */
    public function stream_stat(): array
    {
        return [];
    }
}
