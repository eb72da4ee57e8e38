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
    /** Of the time that a warm-up has. A page that takes longer without some values differs. */
    private const SHARE = 1 / 6;

    /** In which way a page differs: what comes later is looked at only when all before is equal. */
    private const STATUS = 1;
    private const HEADERS = 2;
    private const BODY = 3;
    private const STATEMENTS = 4;
    private const STATE = 5;

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
     * The page that differs in the worst way is named: what another one changes because of that may be why others differ.
     *
     * @param list<string> $adopted names of what the pages may have been misled by
     *
     * @throws GivenUp when a page differs
     */
    public function make(array $adopted): void
    {
        $worst = null;
        foreach ($this->pages as $page) {
            foreach ($this->visitors as $visitor) {
                $difference = $this->difference($page, $visitor);
                if ($difference !== null && ($worst === null || $difference[0] < $worst[0][0])) {
                    $worst = [$difference, $page, $visitor];
                }
            }
        }
        if ($worst !== null) {
            [$difference, $page, $visitor] = $worst;
            throw new GivenUp("GET $page differs when warm: $difference[1]", $page, $this->misleading($page, $visitor, $adopted, $difference));
        }
    }

    /**
     * Takes the values of one slot back, then those of the next instead, until the page no longer differs in this way.
     * Of those in the slot, one alone may do.
     *
     * @param list<string> $adopted
     * @param array{int, string} $difference
     *
     * @return list<string>
     */
    private function misleading(string $page, Visitor $visitor, array $adopted, array $difference): array
    {
        if ($this->differsWithout($adopted, $page, $visitor, $difference)) {
            return [];
        }
        $slots = [];
        foreach ($adopted as $name) {
            $slots[explode('[', $name, 2)[0]][] = $name;
        }
        foreach ($slots as $names) {
            if ($this->differsWithout($names, $page, $visitor, $difference)) {
                continue;
            }
            foreach ($names as $name) {
                if (!$this->differsWithout([$name], $page, $visitor, $difference)) {
                    return [$name];
                }
            }

            return $names;
        }

        return [];
    }

    /**
     * Tried in a child process, so that nothing is taken back here. A page that differs in a worse way tells nothing: what
     * is still there may need what was taken back. One that now lacks another statement does: two values keep answers.
     *
     * @param list<string> $names
     * @param array{int, string} $difference
     */
    private function differsWithout(array $names, string $page, Visitor $visitor, array $difference): bool
    {
        // two processes can't use one connection
        $this->recorder->snapshotAgain();

        return rehearse(function () use ($names, $page, $visitor, $difference): ?string {
            cool($names);
            [$kind, $text] = $this->difference($page, $visitor) ?? [PHP_INT_MAX, ''];
            $better = $kind > $difference[0] || ($kind === self::STATEMENTS && $kind === $difference[0] && $text !== $difference[1]);

            return $better ? null : $text;
        }, WarmUp::seconds() * self::SHARE) !== null;
    }

    /**
     * @return array{int, string}|null the way it differs, and what tells it
     */
    private function difference(string $page, Visitor $visitor): ?array
    {
        $cold = $this->cold[$page][$visitor->name];
        $warm = $this->recorder->visit($visitor, $page, $visitor->name);
        $expected = $this->answers->of($page, $visitor);
        $before = $cold->outcome();
        $after = $warm->outcome();
        $headers = $expected->differentHeaders($after);
        $difference = match (true) {
            $before->status !== $after->status => [self::STATUS, "answers $after->status instead of $before->status" . $after->because()],
            $headers !== [] => [self::HEADERS, 'has other headers: ' . implode(', ', $headers)],
            !$expected->allowsBody($after->body) => [self::BODY, 'has another body'],
            $before->statements !== $after->statements => [self::STATEMENTS, self::asksOtherwise($before->statements, $after->statements)],
            default => [self::STATE, $cold->processDifference($warm) ?? difference($cold->recording, $warm->recording)],
        };
        $warm->release();

        return $difference[1] === null ? null : $difference;
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
