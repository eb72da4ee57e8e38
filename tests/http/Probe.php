<?php

declare(strict_types=1);

namespace Weft\HttpProbe;

/**
 * What is sent on one connection, and what may come back.
 *
 *     'Content-Length with a tab behind it' => ['9110 5.5', "POST / HTTP/1.1\r\n…", '200 kept', 'POST / probe 3'],
 *
 * The section is one of an RFC. What may come back is a status for each answer in their order, then whether the
 * connection is `kept` or `closed`; `400|501` is either of them, `200:head` one without a body. Bytes are a string, or a
 * list of pieces that are sent one after the other, where a number waits for so many answers. The last element is what
 * the body of the last answer begins with, when the application is app.php.
 *
 * @phpstan-type Bytes string|list<string|int>
 * @phpstan-type Line array{0: string, 1: Bytes, 2: string, 3?: string}
 */
final class Probe
{
    /** What the next request on the connection asks for. */
    public const NEXT = "GET /next HTTP/1.1\r\nHost: next\r\n\r\n";

    /**
     * @param list<string|int> $pieces
     * @param list<array{list<int>, bool}> $answers statuses of each, and whether it has no body
     */
    private function __construct(
        public readonly string $name,
        public readonly string $section,
        public readonly array $pieces,
        public readonly array $answers,
        public readonly bool $kept,
        public readonly string $says,
    ) {
    }

    /**
     * @param Line $line
     */
    public static function of(string $name, array $line): self
    {
        $words = explode(' ', $line[2]);
        $end = array_pop($words);
        if ($end !== 'kept' && $end !== 'closed') {
            throw new \LogicException("$name: \"$line[2]\" does not end in kept or closed.");
        }
        $answers = [];
        foreach ($words as $word) {
            [$statuses, $head] = [...explode(':', $word), ''];
            $answers[] = [array_map(intval(...), explode('|', $statuses)), $head === 'head'];
        }

        return new self($name, $line[0], is_string($line[1]) ? [$line[1]] : $line[1], $answers, $end === 'kept', $line[3] ?? '');
    }

    /** All that it sends. */
    public function bytes(): string
    {
        return implode('', array_filter($this->pieces, is_string(...)));
    }

    /** Whether it says that it speaks HTTP/1.0. */
    public function isOld(): bool
    {
        return preg_match('~^\S+ \S+ HTTP/1\.0\r\n~', $this->bytes()) === 1;
    }
}
