<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Lazy;

/** A stream wrapper that gives back a text. */
final class Wrapper
{
    public static string $content = '';

    /** @var resource|null */
    public $context;

    private int $position = 0;

    public function stream_open(): bool
    {
        return true;
    }

    public function stream_read(int $count): string
    {
        $piece = substr(self::$content, $this->position, $count);
        $this->position += strlen($piece);

        return $piece;
    }

    public function stream_eof(): bool
    {
        return $this->position >= strlen(self::$content);
    }

    /**
     * @return array<string, int>
     */
    public function stream_stat(): array
    {
        return [];
    }
}
