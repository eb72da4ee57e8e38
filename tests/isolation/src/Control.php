<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

/** What each identity gets, and leaves in the database, when it is alone. */
final class Control
{
    /**
     * @param array<string, array<int, array{string, string}>> $expected reply and effects by slug and identity
     */
    private function __construct(private readonly array $expected)
    {
    }

    public static function read(string $path): self
    {
        $expected = [];
        foreach (Record::read($path) as $line) {
            if (is_string($line['behaviour'] ?? null) && is_int($line['identity'] ?? null) && is_string($line['reply'] ?? null) && is_string($line['effects'] ?? null)) {
                $expected[$line['behaviour']][$line['identity']] = [$line['reply'], $line['effects']];
            }
        }

        return new self($expected);
    }

    public function knows(string $slug, int $identity): bool
    {
        return isset($this->expected[$slug][$identity]);
    }

    /** Null when it is the same; else how it differs. */
    public function compare(string $slug, int $identity, string $reply, string $effects): ?string
    {
        [$wantedReply, $wantedEffects] = $this->expected[$slug][$identity] ?? ['', ''];
        $differences = '';
        if ($reply !== $wantedReply) {
            $differences .= self::difference('reply', $wantedReply, $reply);
        }
        if ($effects !== $wantedEffects) {
            $differences .= self::difference('database', $wantedEffects, $effects);
        }

        return $differences === '' ? null : $differences;
    }

    private static function difference(string $what, string $wanted, string $got): string
    {
        $show = static fn (string $text): string => preg_replace('/^/m', '      ', trim(substr($text, 0, 3000))) ?? '';

        return "    $what, alone:\n" . $show($wanted) . "\n    $what, among others:\n" . $show($got) . "\n";
    }
}
