<?php

declare(strict_types=1);

namespace Weft\ExtensionTests\Sweep;

/** visitor://7/file: the file of visitor 7, a bit at a time, with turns for others in between. */
final class SlowFile
{
    /** @var resource|null set by PHP */
    public $context;

    public static string $directory = '';
    private string $content = '';
    private int $place = 0;

    public function stream_open(string $path, string $mode): bool
    {
        usleep(1);
        $file = self::$directory . '/' . (preg_match('~^visitor://(\d+)/file$~', $path, $match) === 1 ? sprintf('%02d', $match[1]) . '/file' : 'none');
        $this->content = is_file($file) ? (string) file_get_contents($file) : '';

        return is_file($file) && strpbrk($mode, 'waxc') === false;
    }

    public function stream_read(int $count): string
    {
        usleep(1);
        $part = substr($this->content, $this->place, min($count, 64));
        $this->place += strlen($part);

        return $part;
    }

    public function stream_eof(): bool
    {
        return $this->place >= strlen($this->content);
    }

    public function stream_write(string $data): int
    {
        usleep(1);

        return strlen($data);
    }

    public function stream_seek(int $offset, int $whence): bool
    {
        $this->place = max(0, match ($whence) {
            SEEK_CUR => $this->place + $offset,
            SEEK_END => strlen($this->content) + $offset,
            default => $offset,
        });

        return true;
    }

    public function stream_tell(): int
    {
        return $this->place;
    }

    /**
     * @return array{size: int, mode: int}
     */
    public function stream_stat(): array
    {
        return ['size' => strlen($this->content), 'mode' => 0o100644];
    }

    /**
     * @return array{size: int, mode: int}
     */
    public function url_stat(string $path, int $flags): array
    {
        return ['size' => 1, 'mode' => 0o100644];
    }

    public function stream_set_option(int $option, int $first, int $second): bool
    {
        return false;
    }

    public function stream_flush(): bool
    {
        return true;
    }

    public function stream_close(): void
    {
        usleep(1);
    }
}
