<?php

declare(strict_types=1);

namespace Weft\Bridge\WarmUp;

use Weft\Bridge\DryRun\Outcome;
use Weft\Bridge\DryRun\ProcessState;
use Weft\Bridge\DryRun\Runner;
use Weft\Bridge\DryRun\Visitor;

use function Weft\Internal\quarantine;
use function Weft\Internal\record;
use function Weft\Internal\refused;
use function Weft\Internal\snapshot_again;

use Weft\Pool;

/**
 * Asks for pages and keeps what each request has left behind, until all of it is let go.
 *
 * @internal
 */
final class Recorder
{
    /** @var list<Visit> */
    private array $visits = [];

    public function __construct(
        private readonly Hooks $hooks,
        private readonly Runner $runner,
    ) {
    }

    /**
     * @param string|null $seed two visits with the same one have the same clock and the same random numbers
     * @param int $ahead so many seconds later
     * @param bool $asksForRoute whether the visit can tell isOnlyPath()
     */
    public function visit(Visitor $visitor, string $page, ?string $seed = null, int $ahead = 0, bool $asksForRoute = false): Visit
    {
        quarantine($ahead, $seed);
        $recording = record(function () use ($visitor, $page, $asksForRoute): ?array {
            $outcome = null;
            $visitor->arrive($page);
            $this->hooks->before($visitor, $page);
            $this->runner->inPlace($visitor, $page, static function (Outcome $ended) use (&$outcome): void {
                $outcome = $ended;
            });
            $mayPrime = $this->hooks->mayPrime();
            $late = $this->hooks->loadedLate();
            $only = $asksForRoute && $this->hooks->isOnlyPath($page);
            $this->hooks->tidy();
            $brought = ['outcome' => $outcome, 'mayPrime' => $mayPrime, 'late' => $late, 'process' => ProcessState::now(), 'only' => $only];

            return $outcome === null ? null : $brought;
        });
        $visit = $this->visits[] = new Visit($recording);
        $refused = refused();
        if ($refused !== null) {
            $visit->release();
            throw new GivenUp("GET $page wants to $refused, which warm-up can't undo", $page);
        }

        return $visit;
    }

    /**
     * Of all visits.
     */
    public function release(): void
    {
        foreach ($this->visits as $visit) {
            $visit->release();
        }
        $this->visits = [];
    }

    /**
     * Idle connections are objects too, and the base would keep them.
     */
    public function snapshotAgain(): void
    {
        Pool::closeIdle();
        snapshot_again();
    }
}
