<?php

declare(strict_types=1);

namespace Weft\AppTests;

/** Somebody with an account of his own, in one of the rounds. */
final class Visitor
{
    public const PASSWORD = 'Correct-horse-9';

    public readonly string $name;

    public function __construct(public readonly int $who, public readonly int $round)
    {
        $this->name = self::named($who);
    }

    public static function named(int $who): string
    {
        return sprintf('visitor%02d', $who);
    }

    /** A word that nobody else ever writes. */
    public function word(): string
    {
        return sprintf('word%02dx%d', $this->who, $this->round);
    }

    /** A picture that nobody else has: PNG, so many pixels wide as he has numbers. */
    public function picture(): string
    {
        $width = 40 + $this->who;
        $rows = str_repeat("\0" . str_repeat(chr($this->who) . chr($this->round % 256) . "\x80", $width), 30);
        $chunk = static fn (string $type, string $data): string => pack('N', strlen($data)) . $type . $data . pack('N', crc32($type . $data));

        return "\x89PNG\r\n\x1a\n" . $chunk('IHDR', pack('NNCCCCC', $width, 30, 8, 2, 0, 0, 0)) . $chunk('IDAT', (string) gzcompress($rows)) . $chunk('IEND', '');
    }
}
