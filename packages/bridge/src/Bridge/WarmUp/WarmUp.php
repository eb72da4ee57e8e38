<?php

declare(strict_types=1);

namespace Weft\Bridge\WarmUp;

use Closure;
use Throwable;
use Weft\Bridge\Application;
use Weft\Bridge\DryRun\Excerpt;
use Weft\Bridge\DryRun\FailureNote;
use Weft\Bridge\DryRun\Outcome;
use Weft\Bridge\DryRun\ProcessState;
use Weft\Bridge\DryRun\Runner;
use Weft\Bridge\DryRun\Safeguards;
use Weft\Bridge\DryRun\Visitor;
use Weft\Bridge\UnusableApplication;
use Weft\Bridge\Warmable;

use function Weft\Internal\cool;
use function Weft\Internal\dry_run;
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
    /** Of weft.warm_timeout: what trying, rehearsing and warming what was learnt may take together. */
    private const LEARNING = 10;

    /** What tells the line of a rehearsal apart from that of one that crashed. */
    private const REHEARSED = 'rehearsed ';
    /** Bytes that a rehearsal can tell. */
    private const MOST = 4096;

    /** So many values that mislead a page are dropped; then the page is left out. */
    private const MISLEADING = 8;

    /** Loaded later, they would leave a trace in the application's autoloader. */
    private const CLASSES = [
        Visitor::class, Outcome::class, FailureNote::class, ProcessState::class, Excerpt::class, Visit::class, Recorder::class, ColdAnswers::class,
        Expectation::class, Adoption::class, Proof::class, OpenFiles::class, Report::class, GivenUp::class, Learning::class,
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
        private readonly ?Learning $learning = null,
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
     * @param Learning|null $learning what is to be warmed instead, since visitors ask for it
     */
    public static function asked(Application $application, Closure $handler, array $configuration, ?Learning $learning = null): ?string
    {
        try {
            $pages = $learning->warm ?? Pages::of($application, $configuration);
            if (($pages === [] && $learning === null) || !$application instanceof Warmable) {
                return null;
            }
            $hooks = $application->warmUpHooks();
        } catch (GivenUp|UnusableApplication $reason) {
            return 'cold: ' . $reason->getMessage();
        }

        return (new self($hooks, $handler, $application->safeguards(), $pages, $learning))->run()->line();
    }

    /**
     * A warm-up that takes longer is given up. In the zygote nothing else can happen meanwhile.
     */
    public static function seconds(): float
    {
        return (float) ini_get('weft.warm_timeout');
    }

    public function run(): Report
    {
        snapshot();
        $this->tryLearnt();
        $problem = $this->rehearse();
        while ($problem !== null && $this->learning?->halve() === true) {
            $problem = $this->rehearse();
        }
        if ($problem === null) {
            // whoever else uses the database may hold what was free in the rehearsal
            warming(self::seconds());
            $problem = $this->warm();
            warming(0);
        }
        $this->tell($problem);
        gc_collect_cycles();

        return new Report(
            $this->warmed(),
            $problem,
            array_keys($this->adoption->adopted()),
            $this->adoption->restored(),
            $this->leftOut,
            array_keys($this->misleading),
        );
    }

    /**
     * Each page for itself, as a visitor without cookies and as those who make the proof. What such a visitor can't see is
     * nobody's to have asked for here, however many others may.
     */
    private function tryLearnt(): void
    {
        if ($this->learning === null) {
            return;
        }
        warming(self::LEARNING * self::seconds());
        $this->learning->tryEach(function (string $page): void {
            $visit = $this->recorder->visit(Visitor::third(), $page, asksForRoute: true);
            $outcome = $visit->outcome();
            if ($outcome->status !== 200) {
                throw new GivenUp("a visitor without cookies gets $outcome->status" . $outcome->because() . "; --warm=$page warms it all the same", $page);
            }
            if (!$visit->isOnlyPath()) {
                throw new GivenUp('its route has parameters, or is written otherwise: what comes from the path would reach other pages', $page);
            }
            $visit->release();
            $this->load($page, [Visitor::first(), ...$this->probes()]);
        });
    }

    private function tell(?string $problem): void
    {
        $warm = $problem === null ? $this->warmed() : [];
        if ($this->learning !== null) {
            $this->learning->conclude($warm, $this->leftOut, $problem);
        } elseif ($warm !== []) {
            Learning::tell($warm);
        }
    }

    /**
     * What it has found out need not be found out again.
     */
    private function rehearse(): ?string
    {
        [$this->leftOut, $this->proved, $this->misleading] = [[], [], []];
        $line = (string) rehearse($this->rehearsal(...), self::seconds());
        if (!str_starts_with($line, self::REHEARSED)) {
            return str_starts_with($line, 'it took longer') ? $line . self::hint() : $line;
        }
        /** @var array{string|null, array<string, string>, list<string>, array<string, string>} $found as rehearsal() told it */
        $found = json_decode(substr($line, strlen(self::REHEARSED)), true);
        [$problem, $this->leftOut, $this->proved, $this->misleading] = $found;

        return $problem;
    }

    private function rehearsal(): string
    {
        $problem = $this->warm();
        foreach ([[$this->leftOut, $this->proved, $this->misleading], [[], [], []]] as $found) {
            $line = self::REHEARSED . json_encode([$problem, ...$found], JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE);
            if (strlen($line) <= self::MOST) {
                return $line;
            }
        }

        return substr((string) $problem, 0, self::MOST);
    }

    /**
     * For the end of a sentence that says that time was up.
     */
    public static function hint(): string
    {
        return '. Slow pages? Give it more with -d weft.warm_timeout=' . 2 * self::seconds() . ', or name fewer with --warm';
    }

    /**
     * Null when it is warm, else the reason why it is not.
     */
    private function warm(): ?string
    {
        try {
            $problem = $this->adoptAll();
        } catch (Throwable $reason) {
            $this->makeCold();

            return ($reason instanceof GivenUp ? '' : $reason::class . ': ') . $reason->getMessage();
        } finally {
            quarantine_end();
            dry_run(false);
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
            $misleading = array_fill_keys($problem->values, $problem->getMessage());
            if (array_diff_key($misleading, $this->misleading) !== [] && count($this->misleading) < self::MISLEADING) {
                $this->misleading += $misleading;
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
        return array_values(array_filter([...$this->pages, ...$this->learning?->pages() ?? []], fn (string $page): bool => !isset($this->leftOut[$page])));
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
        foreach ($this->warmed() as $page) {
            try {
                $this->load($page, $visitors);
            } catch (GivenUp $problem) {
                $this->leftOut[$page] = $problem->getMessage();
            }
        }
        foreach ($this->proved as $page) {
            $this->load($page, $visitors, false);
        }
        $this->load($this->hooks->otherPage(), $visitors);
    }

    /**
     * @param list<Visitor> $visitors
     */
    private function load(string $page, array $visitors, bool $mustSucceed = true): void
    {
        foreach ($visitors as $number => $visitor) {
            $visit = $this->recorder->visit($visitor, $page);
            try {
                $mustSucceed && $number === 0 && $visit->mustSucceed($page);
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
