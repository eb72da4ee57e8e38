<?php

declare(strict_types=1);

namespace Weft\Bridge;

use Closure;
use Throwable;

use function Weft\Isolation\adopt;
use function Weft\Isolation\cool;
use function Weft\Isolation\difference;
use function Weft\Isolation\quarantine;
use function Weft\Isolation\quarantine_end;
use function Weft\Isolation\record;

use Weft\Isolation\Recording;

use function Weft\Isolation\refused;
use function Weft\Isolation\rehearse;
use function Weft\Isolation\scrub;
use function Weft\Isolation\settle;
use function Weft\Isolation\snapshot;
use function Weft\Isolation\snapshot_again;

use Weft\Pool;

use function Weft\Server\warming;

/**
 * Warms an application and scrubs off what requests have left.
 *
 * Each page is asked for by two visitors who have nothing in common; what both leave behind equal is adopted into
 * the base. What later requests write again is taken back: it gains nothing and may be their state. In the end a
 * third visitor, as a guest and logged in, must get the same answers and leave the same state as on the cold base.
 *
 * @internal
 */
final class WarmUp
{
    /** A warm-up that takes longer is given up. In the zygote nothing else can happen meanwhile. */
    public const SECONDS = 30.0;
    /** So often requests are made to see what they write again; what still changes then isn't warmed. */
    private const ROUNDS = 8;
    /** The second visitor comes 401 days, 7 hours and 13 minutes later. */
    private const AHEAD = 401 * 86400 + 7 * 3600 + 13 * 60;

    private readonly Rehearsal $rehearsal;
    /** @var array<string, array<string, Recording>> what the witnesses have left on the cold base: by page and name */
    private array $cold = [];
    /** @var list<Recording> */
    private array $recordings = [];
    /** @var array<string, true> */
    private array $adopted = [];
    /** @var array<string, string> */
    private array $restored = [];
    /** @var array<string, Expectation> by what has been asked for */
    private array $expected = [];
    private bool $mayPrime = true;

    /**
     * @param Closure(): void $handler
     * @param list<string> $pages
     */
    public function __construct(
        private readonly Warmth $warmth,
        Closure $handler,
        Safeguards $safeguards,
        private readonly array $pages,
    ) {
        $this->rehearsal = new Rehearsal($handler, $safeguards);
        // loaded later, they would leave a trace in the application's autoloader
        foreach ([Visitor::class, Outcome::class, FailureNote::class, Expectation::class, StaysCold::class] as $class) {
            class_exists($class);
        }
    }

    /**
     * As the zygote's configuration asks for it. Returns the line that tells what has happened; null: nothing.
     *
     * @param Closure(): void $handler
     * @param array<string, mixed> $configuration
     */
    public static function asked(Application $application, Closure $handler, array $configuration): ?string
    {
        $pages = $configuration['warm'] ?? null;
        if ($pages === false || ($configuration['isolation'] ?? true) !== true) {
            return null;
        }
        if (!$application instanceof Warmable) {
            return $pages === null ? null : 'cold: Weft knows how to warm Laravel applications only';
        }
        if (($configuration['cold'] ?? false) === true) {
            return sprintf('cold: after a rehearsal that went well, warm-up took longer than %g s or crashed', self::SECONDS);
        }
        $warmth = $application->warmth();
        $pages = is_array($pages) ? array_values(array_filter($pages, is_string(...))) : $warmth->pages();
        if ($pages === []) {
            return null;
        }

        return (new self($warmth, $handler, $application->safeguards(), $pages))->run();
    }

    public function run(): string
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

        return $problem === null
            ? sprintf('warm: %s (%d values kept, %d put back)', implode(' ', $this->pages), count($this->adopted), count($this->restored))
            : "cold: $problem";
    }

    /**
     * @return array<string, true> names of what is part of the base now
     */
    public function adopted(): array
    {
        return $this->adopted;
    }

    /**
     * @return array<string, string> names of what is not, and the reason
     */
    public function restored(): array
    {
        return $this->restored;
    }

    /**
     * Null when it is warm, else the reason why it is not.
     */
    private function warm(): ?string
    {
        $descriptors = self::descriptors();
        try {
            $this->adoptPages();
            $this->releaseAll();
            foreach (array_diff_assoc(self::descriptors(), $descriptors) as $number => $name) {
                throw new StaysCold("descriptor $number ($name) would be open in all workers");
            }
        } catch (Throwable $reason) {
            $this->releaseAll();
            cool();

            return ($reason instanceof StaysCold ? '' : $reason::class . ': ') . $reason->getMessage();
        } finally {
            quarantine_end();
        }
        settle();

        return null;
    }

    private function releaseAll(): void
    {
        foreach ($this->recordings as $recording) {
            $recording->release();
        }
        $this->recordings = $this->cold = [];
        $this->snapshotAgain();
    }

    /**
     * Idle connections are objects too, and the base would keep them.
     */
    private function snapshotAgain(): void
    {
        Pool::closeIdle();
        snapshot_again();
    }

    private function adoptPages(): void
    {
        $witnesses = [Visitor::third(), Visitor::third()->loggedIn()];
        $visited = [...$this->pages, $this->warmth->otherPage()];
        // the first time, classes are loaded and views compiled
        foreach ($visited as $page) {
            foreach ([Visitor::first(), ...$witnesses] as $visitor) {
                $this->visit($visitor, $page)->release();
            }
        }
        $this->prime($visited, $witnesses);
        foreach ($visited as $page) {
            foreach ($witnesses as $witness) {
                $this->cold[$page][$witness->name] = $this->visit($witness, $page, $witness->name);
            }
        }
        foreach ($this->pages as $page) {
            $this->adoptPage($page);
        }
        $this->scrubUntilClean($visited, $witnesses);
        $this->proveAll($visited, $witnesses);
    }

    /**
     * @param list<string> $pages
     * @param list<Visitor> $visitors
     */
    private function proveAll(array $pages, array $visitors): void
    {
        foreach ($pages as $page) {
            foreach ($visitors as $visitor) {
                $this->prove($page, $visitor);
            }
        }
    }

    /**
     * @param list<string> $pages
     * @param list<Visitor> $visitors
     */
    private function prime(array $pages, array $visitors): void
    {
        $once = $this->answers($pages, $visitors);
        $again = $this->answers($pages, $visitors);
        foreach ($once as $what => $answer) {
            $this->expected[$what] = new Expectation($answer, $again[$what]);
        }
        if (!$this->mayPrime || !$this->warmth->prime()) {
            return;
        }
        $this->snapshotAgain();
        foreach ($this->answers($pages, $visitors) as $what => $answer) {
            $cold = $once[$what];
            // an error page tells of its own way; the page stays cold anyway
            if ($answer->status !== $cold->status || ($answer->status < 400 && !$this->expected[$what]->isMetBy($answer))) {
                throw new StaysCold("GET $what depends on when the application's services are made, or its data have changed meanwhile");
            }
        }
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
                $recording = $this->visit($visitor, $page, $visitor->name);
                $answers[self::name($page, $visitor)] = $this->outcome($recording);
                $recording->release();
            }
        }

        return $answers;
    }

    private function adoptPage(string $page): void
    {
        $first = $this->visit(Visitor::first(), $page);
        $status = $this->outcome($first)->status;
        if ($status >= 400) {
            throw new StaysCold("GET $page answered $status" . self::because($this->outcome($first)));
        }
        $second = $this->visit(Visitor::second()->loggedIn(), $page, ahead: self::AHEAD);
        if ($this->outcome($second)->status !== $status) {
            $second->release();
            $second = $this->visit(Visitor::second(), $page, ahead: self::AHEAD);
        }
        $other = $this->visit(Visitor::first(), $this->warmth->otherPage());
        ['adopted' => $adopted, 'restored' => $restored] = adopt($first, $second, [$other], $this->warmth->cold(), $page);
        $this->adopted = array_fill_keys($adopted, true);
        $this->putBack($restored);
    }

    /**
     * @param list<string> $pages
     * @param list<Visitor> $visitors
     */
    private function scrubUntilClean(array $pages, array $visitors): void
    {
        for ($round = 0; $round < self::ROUNDS; $round++) {
            $found = false;
            foreach ($pages as $page) {
                foreach ($visitors as $visitor) {
                    $restored = scrub($this->visit($visitor, $page, $visitor->name), $page);
                    $found = $found || $restored !== [];
                    $this->putBack($restored);
                }
            }
            if (!$found) {
                return;
            }
        }
        throw new StaysCold('each request changes more of what was adopted');
    }

    private function prove(string $page, Visitor $visitor): void
    {
        $cold = $this->cold[$page][$visitor->name];
        $warm = $this->visit($visitor, $page, $visitor->name);
        $expected = $this->expected[self::name($page, $visitor)];
        $before = $this->outcome($cold);
        $after = $this->outcome($warm);
        [$asked, $asksNow] = [self::strings($cold, 'asked'), self::strings($warm, 'asked')];
        $headers = $expected->differentHeaders($after);
        $what = match (true) {
            $before->status !== $after->status => "answers $after->status instead of $before->status" . self::because($after),
            $headers !== [] => 'has other headers: ' . implode(', ', $headers),
            !$expected->allowsBody($after->body) => 'has another body',
            $asked !== $asksNow => self::asksOtherwise($asked, $asksNow),
            default => difference($cold, $warm),
        };
        if ($what !== null) {
            throw new StaysCold("GET $page differs when warm: $what");
        }
        $warm->release();
    }

    /**
     * A list that visit() has brought back from the request.
     *
     * @return list<string>
     */
    private static function strings(Recording $recording, string $which): array
    {
        $brought = is_array($recording->result) ? $recording->result[$which] ?? [] : [];

        return is_array($brought) ? array_values(array_filter($brought, is_string(...))) : [];
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

    private static function name(string $page, Visitor $visitor): string
    {
        return "$page ($visitor->name)";
    }

    private function visit(Visitor $visitor, string $page, ?string $seed = null, int $ahead = 0): Recording
    {
        quarantine($ahead, $seed);
        $recording = record(function () use ($visitor, $page): ?array {
            $outcome = null;
            $visitor->arrive($page);
            $this->warmth->welcome($visitor, $page);
            $this->rehearsal->inPlace($visitor, $page, static function (Outcome $ended) use (&$outcome): void {
                $outcome = $ended;
            });

            return $outcome === null ? null : [
                'outcome' => $outcome,
                'mayPrime' => $this->warmth->mayPrime(),
                'asked' => $this->warmth->asked(),
            ];
        });
        $this->recordings[] = $recording;
        $refused = refused();
        if ($refused !== null) {
            throw new StaysCold("GET $page wants to $refused, which warm-up can't undo");
        }

        return $recording;
    }

    private function outcome(Recording $recording): Outcome
    {
        ['outcome' => $outcome, 'mayPrime' => $mayPrime] = is_array($recording->result) ? $recording->result : ['outcome' => null, 'mayPrime' => false];
        $this->mayPrime = $this->mayPrime && $mayPrime === true;

        return $outcome instanceof Outcome ? $outcome : new Outcome(500, 'it has called exit()', 0);
    }

    private static function because(Outcome $outcome): string
    {
        return $outcome->detail === '' ? '' : " ($outcome->detail)";
    }

    /**
     * @param array<string, string> $restored
     */
    private function putBack(array $restored): void
    {
        $this->restored = $restored + $this->restored;
        $this->adopted = array_diff_key($this->adopted, $restored);
    }

    /**
     * @return array<int, string>
     */
    private static function descriptors(): array
    {
        $descriptors = [];
        foreach (scandir('/proc/self/fd') ?: [] as $number) {
            $name = @readlink("/proc/self/fd/$number");
            if ($name !== false && !str_starts_with($name, '/proc/')) {
                $descriptors[(int) $number] = $name;
            }
        }

        return $descriptors;
    }
}
