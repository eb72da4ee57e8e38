<?php

declare(strict_types=1);

namespace Weft\Bridge\WarmUp;

use Closure;
use Throwable;
use Weft\Bridge\Application;
use Weft\Bridge\DryRun\FailureNote;
use Weft\Bridge\DryRun\Outcome;
use Weft\Bridge\DryRun\Runner;
use Weft\Bridge\DryRun\Safeguards;
use Weft\Bridge\DryRun\Visitor;
use Weft\Bridge\Warmable;

use function Weft\Isolation\cool;
use function Weft\Isolation\quarantine_end;
use function Weft\Isolation\rehearse;
use function Weft\Isolation\settle;
use function Weft\Isolation\snapshot;
use function Weft\Server\warming;

/**
 * Warms an application and scrubs off what requests have left.
 *
 * Each page is asked for by two visitors who have nothing in common; what both leave behind equal is adopted into
 * the base. What later requests write again is taken back: it gains nothing and may be their state. In the end a
 * third visitor, as a guest and logged in, must get the same answers and leave the same state as on the cold base.
 *
 * All of it happens twice: first in a child process, which may hang or crash, then in this one.
 *
 * @internal
 */
final class WarmUp
{
    /** A warm-up that takes longer is given up. In the zygote nothing else can happen meanwhile. */
    public const SECONDS = 30.0;

    /** Loaded later, they would leave a trace in the application's autoloader. */
    private const CLASSES = [
        Visitor::class, Outcome::class, FailureNote::class, Visit::class, Recorder::class, ColdAnswers::class,
        Expectation::class, Adoption::class, Proof::class, OpenFiles::class, Report::class, GivenUp::class,
    ];

    private readonly Recorder $recorder;
    private readonly Adoption $adoption;

    /**
     * @param Closure(): void $handler
     * @param list<string> $pages
     */
    public function __construct(
        private readonly Hooks $hooks,
        Closure $handler,
        Safeguards $safeguards,
        private readonly array $pages,
    ) {
        array_map(class_exists(...), self::CLASSES);
        $this->recorder = new Recorder($hooks, new Runner($handler, $safeguards));
        $this->adoption = new Adoption($hooks, $this->recorder);
    }

    /**
     * As the zygote's configuration asks for it. Returns the line that tells what has happened; null: nothing.
     *
     * @param Closure(): void $handler
     * @param array<string, mixed> $configuration
     */
    public static function asked(Application $application, Closure $handler, array $configuration): ?string
    {
        try {
            $pages = Pages::of($application, $configuration);
        } catch (GivenUp $reason) {
            return 'cold: ' . $reason->getMessage();
        }
        if ($pages === [] || !$application instanceof Warmable) {
            return null;
        }

        return (new self($application->warmUpHooks(), $handler, $application->safeguards(), $pages))->run()->line();
    }

    public function run(): Report
    {
        snapshot();
        $problem = rehearse($this->warm(...), self::SECONDS);
        if ($problem === null) {
            // whoever else uses the database may hold what was free in the rehearsal
            warming(self::SECONDS);
            $problem = $this->warm();
            warming(0);
        }
        gc_collect_cycles();

        return new Report($this->pages, $problem, array_keys($this->adoption->adopted()), $this->adoption->restored());
    }

    /**
     * Null when it is warm, else the reason why it is not.
     */
    private function warm(): ?string
    {
        $files = new OpenFiles();
        try {
            $this->adoptPages();
            $this->releaseAll();
            $files->refuseNewOnes();
        } catch (Throwable $reason) {
            $this->releaseAll();
            cool();

            return ($reason instanceof GivenUp ? '' : $reason::class . ': ') . $reason->getMessage();
        } finally {
            quarantine_end();
        }
        settle();

        return null;
    }

    private function releaseAll(): void
    {
        $this->recorder->release();
        $this->recorder->snapshotAgain();
    }

    private function adoptPages(): void
    {
        $probes = [Visitor::third(), Visitor::third()->loggedIn()];
        $visited = [...$this->pages, $this->hooks->otherPage()];
        // the first time, classes are loaded and views compiled
        foreach ($visited as $page) {
            foreach ([Visitor::first(), ...$probes] as $visitor) {
                $this->recorder->visit($visitor, $page)->release();
            }
        }
        $answers = new ColdAnswers($this->hooks, $this->recorder);
        $answers->take($visited, $probes);
        $proof = new Proof($this->recorder, $answers, $visited, $probes);
        $proof->visitCold();
        foreach ($this->pages as $page) {
            $this->adoption->adoptPage($page);
        }
        $this->adoption->scrubUntilClean($visited, $probes);
        $proof->make();
    }
}
