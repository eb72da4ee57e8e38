<?php

declare(strict_types=1);

namespace Weft\ExtensionTests\Sweep;

use ArrayIterator;
use Closure;

/** Whoever calls: each value that it passes is its own, and its files are in a directory of its own. */
final class Identity
{
    public function __construct(public readonly int $number, public readonly string $directory)
    {
    }

    public function name(): string
    {
        return sprintf('visitor %02d', $this->number);
    }

    /** Text that another one gets a turn for when C code asks for it, in the middle of its call. */
    public function slowText(string $text): SlowText
    {
        return new SlowText($text);
    }

    /** A callback in the middle of which others get their turn. */
    public function callback(bool $returnsText): Closure
    {
        return function (mixed ...$given) use ($returnsText): int|string {
            usleep(1);

            return $returnsText ? "{$this->name()} with " . count($given) : $this->number;
        };
    }

    /**
     * @return array<int|string, mixed>
     */
    public function list(bool $slow): array
    {
        return $slow
            ? [$this->slowText("{$this->name()} b"), $this->slowText("{$this->name()} a")]
            : ['name' => $this->name(), 'number' => $this->number, 'text' => "text of {$this->number}"];
    }

    /**
     * @return ArrayIterator<int, string>
     */
    public function iterator(): ArrayIterator
    {
        return new ArrayIterator([$this->name(), (string) $this->number]);
    }

    public function text(string $kind): string
    {
        $number = $this->number;

        return match ($kind) {
            'xml' => "<?xml version=\"1.0\"?><visitor number=\"$number\"><name>{$this->name()}</name><b>$number</b></visitor>",
            'html' => "<html><head><title>{$this->name()}</title></head><body><p>$number<b>bold</p></body></html>",
            'json' => "{\"visitor\": $number}",
            'yaml' => "visitor: $number\nname: {$this->name()}\n",
            'code' => "<?php return $number;",
            'mail' => "From: v$number@example.test\r\nSubject: {$this->name()}\r\nContent-Type: text/plain\r\n\r\nbody of $number\r\n",
            'image' => $this->image(),
            default => $this->name(),
        };
    }

    /** The files that it starts with: the same each time. */
    public function prepare(string $kind): void
    {
        foreach (glob("$this->directory/*") ?: [] as $file) {
            is_dir($file) ? @rmdir($file) : unlink($file);
        }
        is_dir($this->directory) || mkdir($this->directory, recursive: true);
        file_put_contents("$this->directory/file", $this->text($kind));
    }

    /** A PNG of one colour, as wide as its number. */
    private function image(): string
    {
        $chunk = static fn (string $type, string $data): string => pack('N', strlen($data)) . $type . $data . pack('N', crc32($type . $data));
        $rows = str_repeat("\0" . str_repeat(chr($this->number) . chr(255 - $this->number) . "\x80", $this->number), 8);

        return "\x89PNG\r\n\x1a\n" . $chunk('IHDR', pack('NNCCCCC', $this->number, 8, 8, 2, 0, 0, 0))
            . $chunk('IDAT', (string) gzcompress($rows)) . $chunk('IEND', '');
    }
}
