<?php

declare(strict_types=1);

namespace Weft\Bridge\WarmUp;

use Weft\Bridge\DryRun\Outcome;
use Weft\Bridge\DryRun\Visitor;

/**
 * What pages answer on the cold base, each asked for twice. On the way the application's services are primed, which must
 * change none of the answers.
 *
 * @internal
 */
final class ColdAnswers
{
    /** @var array<string, Expectation> by what has been asked for */
    private array $expected = [];
    private bool $mayPrime = true;
    /** @var array<string, true> what the framework has put off until one of these requests */
    private array $late = [];

    public function __construct(
        private readonly Hooks $hooks,
        private readonly Recorder $recorder,
    ) {
    }

    /**
     * @param list<string> $pages
     * @param list<Visitor> $visitors
     */
    public function take(array $pages, array $visitors): void
    {
        $once = $this->answers($pages, $visitors);
        $again = $this->answers($pages, $visitors);
        foreach ($once as $what => $answer) {
            $this->expected[$what] = new Expectation($answer, $again[$what]);
        }
        if (!$this->mayPrime || !$this->hooks->prime($pages, array_keys($this->late))) {
            return;
        }
        $this->recorder->snapshotAgain();
        foreach ($this->answers($pages, $visitors) as $what => $answer) {
            $cold = $once[$what];
            // an error page tells of its own way; the page stays cold anyway
            if ($answer->status !== $cold->status || ($answer->status < 400 && !$this->expected[$what]->isMetBy($answer))) {
                throw new GivenUp("GET $what depends on when the application's services are made, or its data have changed meanwhile");
            }
        }
    }

    public function of(string $page, Visitor $visitor): Expectation
    {
        return $this->expected[self::name($page, $visitor)];
    }

    /**
     * @param list<string> $pages
     * @param list<Visitor> $visitors
     *
     * @return array<string, Outcome>
     */
    private function answers(array $pages, array $visitors): array
    {
        $answers = [];
        foreach ($pages as $page) {
            foreach ($visitors as $visitor) {
                $visit = $this->recorder->visit($visitor, $page, $visitor->name);
                $answers[self::name($page, $visitor)] = $visit->outcome();
                $this->mayPrime = $this->mayPrime && $visit->allowsPriming();
                $this->late += array_fill_keys($visit->loadedLate(), true);
                $visit->release();
            }
        }

        return $answers;
    }

    private static function name(string $page, Visitor $visitor): string
    {
        return "$page ($visitor->name)";
    }
}
