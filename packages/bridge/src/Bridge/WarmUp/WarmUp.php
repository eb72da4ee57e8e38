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

use function Weft\Internal\cool;
use function Weft\Internal\quarantine_end;
use function Weft\Internal\rehearse;
use function Weft\Internal\settle;
use function Weft\Internal\warming;
use function Weft\Isolation\snapshot;

/**
 * Warms an application and scrubs off what requests have left.
 *
 * Each page is asked for by two visitors who have nothing in common; what both leave behind equal is adopted into
 * the base. What later requests write again is taken back: it gains nothing and may be their state. In the end a
 * third visitor, as a guest and logged in, must get the same answers and leave the same state as on the cold base.
 *
 * When a page differs, the value that has misled it is looked for and dropped alone. A page that fails, or differs still,
 * is left out, and the others are warmed without it.
 *
 * All of it happens twice: first in a child process, which may hang or crash, then in this one.
 *
 * @internal
 */
final class WarmUp
{
    /** A warm-up that takes longer is given up. In the zygote nothing else can happen meanwhile. */
    public const SECONDS = 30.0;

    /** So many values that mislead a page are dropped; then the page is left out. */
    private const MISLEADING = 8;

    /** Loaded later, they would leave a trace in the application's autoloader. */
    private const CLASSES = [
        Visitor::class, Outcome::class, FailureNote::class, Visit::class, Recorder::class, ColdAnswers::class,
        Expectation::class, Adoption::class, Proof::class, OpenFiles::class, Report::class, GivenUp::class,
    ];

    private readonly Recorder $recorder;
    private Adoption $adoption;
    /** @var array<string, string> pages that are not warmed, and the reason */
    private array $leftOut = [];
    /** @var list<string> those of them that answer as they should cold: what others keep must not change that */
    private array $proved = [];
    /** @var array<string, string> names of values that have misled a page, and how */
    private array $misleading = [];

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

        return new Report($this->warmed(), $problem, array_keys($this->adoption->adopted()), $this->adoption->restored(), $this->leftOut);
    }

    /**
     * Null when it is warm, else the reason why it is not.
     */
    private function warm(): ?string
    {
        $this->leftOut = $this->proved = $this->misleading = [];
        try {
            $problem = $this->adoptAll();
        } catch (Throwable $reason) {
            $this->makeCold();

            return ($reason instanceof GivenUp ? '' : $reason::class . ': ') . $reason->getMessage();
        } finally {
            quarantine_end();
        }
        if ($problem === null) {
            settle();
        }

        return $problem;
    }

    /**
     * Again and again, without the value that has misled a page, or without the page that has failed.
     */
    private function adoptAll(): ?string
    {
        $files = new OpenFiles();
        $this->loadPages();
        while (($pages = $this->warmed()) !== []) {
            $problem = $this->attempt($pages, $files);
            if ($problem === null) {
                return null;
            }
            if ($problem->value !== '' && !isset($this->misleading[$problem->value]) && count($this->misleading) < self::MISLEADING) {
                $this->misleading[$problem->value] = $problem->getMessage();
                continue;
            }
            if (!in_array($problem->page, $pages, true)) {
                return $problem->getMessage();
            }
            $this->leftOut[$problem->page] = $problem->getMessage();
            $this->proved[] = $problem->page;
        }
        $this->makeCold();

        return implode('; ', $this->leftOut);
    }

    /**
     * @return list<string>
     */
    private function warmed(): array
    {
        return array_values(array_filter($this->pages, fn (string $page): bool => !isset($this->leftOut[$page])));
    }

    /**
     * @param non-empty-list<string> $pages
     */
    private function attempt(array $pages, OpenFiles $files): ?GivenUp
    {
        try {
            $this->adoptPages($pages);
            $this->releaseAll();
            $files->refuseNewOnes();
        } catch (GivenUp $problem) {
            $this->makeCold();

            return $problem;
        }

        return null;
    }

    private function makeCold(): void
    {
        $this->releaseAll();
        cool();
    }

    private function releaseAll(): void
    {
        $this->recorder->release();
        $this->recorder->snapshotAgain();
    }

    /**
     * The first time, classes are loaded and views compiled. What fails even so is not asked for again.
     */
    private function loadPages(): void
    {
        $visitors = [Visitor::first(), ...$this->probes()];
        foreach ($this->pages as $page) {
            try {
                $this->load($page, $visitors);
            } catch (GivenUp $problem) {
                $this->leftOut[$page] = $problem->getMessage();
            }
        }
        $this->load($this->hooks->otherPage(), $visitors);
    }

    /**
     * @param list<Visitor> $visitors
     */
    private function load(string $page, array $visitors): void
    {
        foreach ($visitors as $number => $visitor) {
            $visit = $this->recorder->visit($visitor, $page);
            try {
                $number === 0 && $visit->mustSucceed($page);
            } finally {
                $visit->release();
            }
        }
    }

    /**
     * @return list<Visitor> who make the proof
     */
    private function probes(): array
    {
        return [Visitor::third(), Visitor::third()->loggedIn()];
    }

    /**
     * @param list<string> $pages
     */
    private function adoptPages(array $pages): void
    {
        $this->adoption = new Adoption($this->hooks, $this->recorder, $this->misleading);
        $probes = $this->probes();
        $visited = [...$pages, ...$this->proved, $this->hooks->otherPage()];
        $answers = new ColdAnswers($this->hooks, $this->recorder);
        $answers->take($visited, $probes);
        $proof = new Proof($this->recorder, $answers, $visited, $probes);
        $proof->visitCold();
        foreach ($pages as $page) {
            $this->adoption->adoptPage($page);
        }
        $this->adoption->scrubUntilClean($visited, $probes);
        $proof->make(array_keys($this->adoption->adopted()));
    }
}
