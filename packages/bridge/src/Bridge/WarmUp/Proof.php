<?php

declare(strict_types=1);

namespace Weft\Bridge\WarmUp;

use Weft\Bridge\DryRun\Visitor;

use function Weft\Internal\difference;

/**
 * That a page, asked for on the warm base, answers what it answered on the cold one, sends the same statements to the
 * database and leaves the same state behind.
 *
 * @internal
 */
final class Proof
{
    /** @var array<string, array<string, Visit>> on the cold base: by page and visitor */
    private array $cold = [];

    /**
     * @param list<string> $pages
     * @param list<Visitor> $visitors
     */
    public function __construct(
        private readonly Recorder $recorder,
        private readonly ColdAnswers $answers,
        private readonly array $pages,
        private readonly array $visitors,
    ) {
    }

    /**
     * Before anything is adopted.
     */
    public function visitCold(): void
    {
        foreach ($this->pages as $page) {
            foreach ($this->visitors as $visitor) {
                $this->cold[$page][$visitor->name] = $this->recorder->visit($visitor, $page, $visitor->name);
            }
        }
    }

    /**
     * @throws GivenUp when a page differs
     */
    public function make(): void
    {
        foreach ($this->pages as $page) {
            foreach ($this->visitors as $visitor) {
                $this->compare($page, $visitor);
            }
        }
    }

    private function compare(string $page, Visitor $visitor): void
    {
        $cold = $this->cold[$page][$visitor->name];
        $warm = $this->recorder->visit($visitor, $page, $visitor->name);
        $expected = $this->answers->of($page, $visitor);
        $before = $cold->outcome();
        $after = $warm->outcome();
        $headers = $expected->differentHeaders($after);
        $what = match (true) {
            $before->status !== $after->status => "answers $after->status instead of $before->status" . $after->because(),
            $headers !== [] => 'has other headers: ' . implode(', ', $headers),
            !$expected->allowsBody($after->body) => 'has another body',
            $cold->statements() !== $warm->statements() => self::asksOtherwise($cold->statements(), $warm->statements()),
            default => difference($cold->recording, $warm->recording),
        };
        if ($what !== null) {
            throw new GivenUp("GET $page differs when warm: $what", $page);
        }
        $warm->release();
    }

    /**
     * A value that came from a database is no part of the code: kept, it would be out of date when the row changes.
     *
     * @param list<string> $cold
     * @param list<string> $warm
     */
    private static function asksOtherwise(array $cold, array $warm): string
    {
        foreach ($cold as $number => $statement) {
            if (($warm[$number] ?? null) !== $statement) {
                return "no longer asks the database \"$statement\": something keeps the answer";
            }
        }

        return 'asks the database more';
    }
}
