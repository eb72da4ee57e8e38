<?php

declare(strict_types=1);

use Random\Engine\Mt19937;
use Random\Randomizer;

/**
 * Chance that can be had again: the same seed throws the same.
 */
final class Dice
{
    private const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

    private readonly Randomizer $randomizer;

    public function __construct(int $seed)
    {
        $this->randomizer = new Randomizer(new Mt19937($seed));
    }

    public function between(int $least, int $most): int
    {
        return $this->randomizer->getInt($least, $most);
    }

    /** True once in so many throws. */
    public function once(int $in): bool
    {
        return $this->randomizer->getInt(1, $in) === 1;
    }

    /** Mostly small, now and then up to the most. */
    public function size(int $most): int
    {
        return $this->between(0, $this->once(4) ? $most : min($most, $this->once(3) ? 1000 : 20));
    }

    /**
     * @template T
     * @param non-empty-list<T> $of
     * @return T
     */
    public function pick(array $of): mixed
    {
        return $of[$this->randomizer->getInt(0, count($of) - 1)];
    }

    /**
     * @template T
     * @param list<T> $list
     * @return list<T>
     */
    public function shuffled(array $list): array
    {
        return $this->randomizer->shuffleArray($list);
    }

    public function word(int $least, int $most): string
    {
        $word = '';
        for ($i = $this->between($least, $most); $i > 0; $i--) {
            $word .= self::LETTERS[$this->between(0, 35)];
        }

        return $word;
    }

    public function bytes(int $length): string
    {
        return $length > 0 ? $this->randomizer->getBytes($length) : '';
    }

    public function shuffledBytes(string $bytes): string
    {
        return $this->randomizer->shuffleBytes($bytes);
    }
}
