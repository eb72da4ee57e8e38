<?php

declare(strict_types=1);

namespace Weft\AppTests;

use Generator;
use RuntimeException;
use Weft\TestSupport\Ask;
use Weft\TestSupport\Client;
use Weft\TestSupport\Reply;

/** What one side has answered to everybody, all of them at once. */
final class Round
{
    private const TIMEOUT = 120;

    /** @var array<int, list<array{string, string}>> what was asked and what came, by visitor */
    private readonly array $answers;

    /** @var array<int, string> who could not go on, and why */
    private array $lost = [];

    /**
     * @param array<int, Generator<int, Ask, Reply, void>> $journeys by visitor
     */
    public function __construct(private readonly Side $side, array $journeys)
    {
        $client = new Client($side->address, $side->text(...), self::TIMEOUT, $side->site);
        $all = [];
        foreach ($journeys as $who => $journey) {
            $all[$who] = $this->guarded($who, $journey);
        }
        $this->answers = $client->send($all);
    }

    public function count(): int
    {
        return array_sum(array_map(count(...), $this->answers));
    }

    /**
     * @return list<string> who could not do what he came for: this proves nothing then
     */
    public function lost(): array
    {
        return array_map(fn (int $who, string $why): string => "{$this->side->name}: visitor $who, $why", array_keys($this->lost), $this->lost);
    }

    /**
     * @return list<array{string, string, string}> what was asked, what the other has answered, and what this one has
     */
    public function differencesTo(self $other): array
    {
        $found = [];
        foreach ($other->answers as $who => $answers) {
            $own = $this->answers[$who] ?? [];
            for ($i = 0; $i < max(count($answers), count($own)); $i++) {
                [$ask, $text] = $answers[$i] ?? ['nothing', ''];
                [$asked, $got] = $own[$i] ?? ['nothing', ''];
                [$ask, $asked] = [$other->side->normal($ask), $this->side->normal($asked)];
                if ($ask !== $asked || $text !== $got) {
                    $found[] = ["visitor $who, $asked", "$ask\n$text", "$asked\n$got"];
                }
            }
        }

        return $found;
    }

    /**
     * @param Generator<int, Ask, Reply, void> $journey
     * @return Generator<int, Ask, Reply, void>
     */
    private function guarded(int $who, Generator $journey): Generator
    {
        try {
            yield from $journey;
        } catch (RuntimeException $problem) {
            // where the journey was: what it asks of a reply is not of interest
            $frames = array_filter($problem->getTrace(), static fn (array $frame): bool => !str_ends_with($frame['file'] ?? '', '/Reply.php'));
            $frame = reset($frames) ?: [];
            $this->lost[$who] = $problem->getMessage() . ' (' . basename($frame['file'] ?? '') . ':' . ($frame['line'] ?? 0) . ')';
        }
    }
}
