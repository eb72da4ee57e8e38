<?php

declare(strict_types=1);

namespace Weft\Bridge\WarmUp;

use Weft\Bridge\DryRun\Visitor;

use function Weft\Internal\cool;
use function Weft\Internal\difference;
use function Weft\Internal\rehearse;

/**
 * That a page, asked for on the warm base, answers what it answered on the cold one, sends the same statements to the
 * database and leaves the same state behind.
 *
 * @internal
 */
final class Proof
{
    /** A page that takes longer without some values differs. */
    private const SECONDS = 5.0;

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
     * @param list<string> $adopted names of what the pages may have been misled by
     *
     * @throws GivenUp when a page differs
     */
    public function make(array $adopted): void
    {
        foreach ($this->pages as $page) {
            foreach ($this->visitors as $visitor) {
                $what = $this->difference($page, $visitor);
                if ($what !== null) {
                    throw new GivenUp("GET $page differs when warm: $what", $page, $this->misleading($page, $visitor, $adopted));
                }
            }
        }
    }

    /**
     * Looks for how many of them must be taken back until the page no longer differs; the last one of those has misled it.
     *
     * @param list<string> $adopted
     */
    private function misleading(string $page, Visitor $visitor, array $adopted): string
    {
        [$few, $enough] = [0, count($adopted)];
        if ($this->differsWithout($adopted, $page, $visitor)) {
            return '';
        }
        while ($enough - $few > 1) {
            $middle = intdiv($few + $enough, 2);
            if ($this->differsWithout(array_slice($adopted, 0, $middle), $page, $visitor)) {
                $few = $middle;
            } else {
                $enough = $middle;
            }
        }

        return $adopted[$few];
    }

    /**
     * Tried in a child process, so that nothing is taken back here.
     *
     * @param list<string> $names
     */
    private function differsWithout(array $names, string $page, Visitor $visitor): bool
    {
        // two processes can't use one connection
        $this->recorder->snapshotAgain();

        return rehearse(function () use ($names, $page, $visitor): ?string {
            cool($names);

            return $this->difference($page, $visitor);
        }, self::SECONDS) !== null;
    }

    private function difference(string $page, Visitor $visitor): ?string
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
        $warm->release();

        return $what;
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
