<?php

declare(strict_types=1);

namespace Weft\Bridge\WarmUp;

use Weft\Bridge\DryRun\Outcome;

/**
 * What a page must answer when it is warm: what it answered cold, but for whole numbers in which two cold answers to
 * the very same request differ. The clock stands still and randomness is seeded during warm-up, so these come from
 * outside the process: the number of a row that a rolled back INSERT has used up, say.
 *
 * @internal
 */
final class Expectation
{
    public function __construct(
        private readonly Outcome $once,
        private readonly Outcome $again,
    ) {
    }

    public function isMetBy(Outcome $warm): bool
    {
        return $warm->status === $this->once->status && $this->differentHeaders($warm) === [] && $this->allowsBody($warm->body);
    }

    public function allowsBody(string $warm): bool
    {
        return self::agree($this->once->body, $this->again->body, $warm);
    }

    /**
     * @return list<string> the headers that a cold answer has not
     */
    public function differentHeaders(Outcome $warm): array
    {
        if (count($warm->headers) !== count($this->once->headers) || count($warm->headers) !== count($this->again->headers)) {
            return array_values(array_diff($warm->headers, $this->once->headers)) ?: ['one is missing'];
        }
        $different = [];
        foreach ($warm->headers as $number => $header) {
            if (!self::agree($this->once->headers[$number], $this->again->headers[$number], $header)) {
                $different[] = $header;
            }
        }

        return $different;
    }

    private static function agree(string $once, string $again, string $warm): bool
    {
        if ($warm === $once) {
            return true;
        }
        if ($once === $again) {
            return false;
        }
        [$once, $again, $warm] = array_map(self::words(...), [$once, $again, $warm]);
        if (count($once) !== count($again) || count($once) !== count($warm)) {
            return false;
        }
        foreach ($once as $place => $word) {
            if ($word !== $warm[$place] && !self::areNumbersThatDiffer($word, $again[$place], $warm[$place])) {
                return false;
            }
        }

        return true;
    }

    private static function areNumbersThatDiffer(string $once, string $again, string $warm): bool
    {
        return $once !== $again && preg_match('/^\d+ \d+ \d+$/D', "$once $again $warm") === 1;
    }

    /**
     * @return list<string> words and, between them, what is none
     */
    private static function words(string $text): array
    {
        return preg_split('/(\W+)/', $text, flags: PREG_SPLIT_DELIM_CAPTURE) ?: [$text];
    }
}
