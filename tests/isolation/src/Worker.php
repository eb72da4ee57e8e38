<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

use function Async\await;
use function Async\spawn;

use InvalidArgumentException;
use PDO;

use function Weft\Isolation\snapshot;
use function Weft\Isolation\stats;

/**
 * A process that runs behaviours in one way: "control", "domains", "sharing" or "http". Writes what it finds to a
 * record.
 */
final class Worker
{
    public const OPTIONS = ['cases', 'identities', 'rounds', 'mixed', 'seed', 'out', 'control', 'url'];
    private const SECONDS_FOR_ONE = 40;
    private const PATIENCE = 30;
    private const ROUNDS_TO_FAIL = 10;

    private readonly Record $record;
    private readonly CookieReader $reader;
    private ?PDO $database = null;
    private readonly int $identities;
    private readonly int $rounds;
    private readonly int $seed;
    private readonly string $way;
    private Control $control;

    public function __construct(private readonly Options $options)
    {
        $this->record = new Record($options->text('out', 'php://stdout'));
        $this->reader = new CookieReader((string) getenv('APP_KEY'));
        $this->identities = $options->number('identities', 16);
        $this->rounds = $options->number('rounds', 5);
        $this->way = $options->words[0] ?? '';
        $this->seed = $options->number('seed', 1);
        $this->control = Control::read($options->text('control'));
    }

    public function work(): void
    {
        match ($this->way) {
            'control' => $this->alone(new ForkingVisitor()),
            'httpcontrol' => $this->alone(new HttpVisitor($this->options->text('url'))),
            'domains' => $this->inDomains(),
            'sharing' => $this->sharing(),
            'http' => $this->together(new HttpVisitor($this->options->text('url'))),
            default => throw new InvalidArgumentException("Unknown way: $this->way."),
        };
    }

    private function alone(Visitor $visitor): void
    {
        foreach ($this->behaviours() as $slug => $behaviour) {
            $this->record->write(['begin' => $slug]);
            for ($number = 0; $number < $this->identities; $number++) {
                Database::clean($this->database());
                $reply = (new Journey($visitor, $this->reader))->make($behaviour, $number, 0, $this->seed);
                $effects = Database::effects($this->database());
                $this->record->write(['behaviour' => $slug, 'identity' => $number, 'reply' => $reply, 'effects' => $effects["$slug/$number"] ?? '']);
            }
        }
    }

    private function inDomains(): void
    {
        $visitor = new DomainVisitor(Front::boot());
        snapshot();
        $this->together($visitor);
    }

    /** Each behaviour in a fork of its own, so that what it breaks counts for nobody else. */
    private function sharing(): void
    {
        $visitor = new SharingVisitor(Front::boot());
        foreach ($this->behaviours() as $slug => $behaviour) {
            $this->record->write(['begin' => $slug]);
            $child = pcntl_fork();
            if ($child === 0) {
                pcntl_alarm(self::SECONDS_FOR_ONE);
                $this->forked($visitor, $behaviour);
                posix_kill(posix_getpid(), SIGKILL);
            }
            pcntl_waitpid($child, $status);
            $this->record->write(['forked' => $slug]);
        }
    }

    private function forked(Visitor $visitor, Behaviour $behaviour): void
    {
        $tuples = $this->everybody($behaviour);
        for ($round = 1; $round <= max($this->rounds, self::ROUNDS_TO_FAIL); $round++) {
            if ($this->round($visitor, $this->database(), $tuples, $round) > 0) {
                return;
            }
        }
        $this->record->write(['same' => $behaviour->slug()]);
    }

    private function together(Visitor $visitor): void
    {
        foreach ($this->behaviours() as $slug => $behaviour) {
            $this->record->write(['begin' => $slug]);
            $different = 0;
            for ($round = 1; $round <= $this->rounds; $round++) {
                $different += $this->round($visitor, $this->database(), $this->everybody($behaviour), $round);
            }
            $this->record->write(['end' => $slug, 'different' => $different, 'journeys' => $this->rounds * $this->identities]);
        }
        $this->mixed($visitor);
        $this->record->write(['finished' => true, 'stats' => function_exists('Weft\Isolation\stats') ? stats() : []]);
    }

    /** Different behaviours at once: each is another one's disturbance. */
    private function mixed(Visitor $visitor): void
    {
        $everything = [];
        foreach ($this->behaviours() as $behaviour) {
            if ($behaviour->broken === null) {
                array_push($everything, ...$this->everybody($behaviour));
            }
        }
        for ($round = 1; $round <= $this->options->number('mixed', 0); $round++) {
            $this->record->write(['begin' => "mixed round $round"]);
            $some = $this->shuffle($everything, $round + 1_000_000);
            foreach (array_chunk($some, max(1, 2 * $this->identities)) as $chunk) {
                $different = $this->round($visitor, $this->database(), $chunk, $round + 1_000_000);
                $this->record->write(['end' => 'mixed', 'different' => $different, 'journeys' => count($chunk)]);
            }
        }
    }

    /**
     * @param list<array{Behaviour, int}> $tuples who does what
     * @return int how many differ from the control
     */
    private function round(Visitor $visitor, PDO $database, array $tuples, int $round): int
    {
        Database::clean($database);
        $journey = new Journey($visitor, $this->reader);
        $coroutines = [];
        foreach ($this->shuffle($tuples, $round) as [$behaviour, $number]) {
            $coroutines[] = [$behaviour, $number, spawn(fn (): string => $journey->make($behaviour, $number, $round, $this->seed))];
        }
        $replies = [];
        foreach ($coroutines as [$behaviour, $number, $coroutine]) {
            $reply = await($coroutine);
            $replies[] = [$behaviour->slug(), $number, is_string($reply) ? $reply : ''];
        }
        $effects = $this->settled($database, $replies);
        $different = 0;
        foreach ($replies as [$slug, $number, $reply]) {
            $difference = $this->control->compare($slug, $number, $reply, $effects["$slug/$number"] ?? '');
            if ($difference !== null) {
                $different++;
                $this->record->write(['difference' => $slug, 'identity' => $number, 'round' => $round, 'how' => $difference]);
            }
        }

        return $different;
    }

    /**
     * Effects; a server may still be at work on them when the replies are there.
     *
     * @param list<array{string, int, string}> $replies
     * @return array<string, string>
     */
    private function settled(PDO $database, array $replies): array
    {
        for ($patience = $this->way === 'http' ? self::PATIENCE : 0;; $patience--) {
            $effects = Database::effects($database);
            $missing = array_filter($replies, fn (array $reply): bool => $this->control->compare($reply[0], $reply[1], $reply[2], $effects["$reply[0]/$reply[1]"] ?? '') !== null);
            if ($patience <= 0 || $missing === []) {
                return $effects;
            }
            usleep(10_000);
        }
    }

    /** Late, so that nothing that is forked has it. */
    private function database(): PDO
    {
        return $this->database ??= Database::connect();
    }

    /**
     * @return array<string, Behaviour>
     */
    private function behaviours(): array
    {
        $wanted = $this->options->list('cases');

        $all = $wanted === [] ? Registry::all() : array_intersect_key(Registry::all(), array_flip($wanted));

        return str_starts_with($this->way, 'http') ? $all : array_filter($all, static fn (Behaviour $behaviour): bool => !$behaviour->http);
    }

    /**
     * @return list<array{Behaviour, int}>
     */
    private function everybody(Behaviour $behaviour): array
    {
        return array_map(static fn (int $number): array => [$behaviour, $number], range(0, $this->identities - 1));
    }

    /**
     * @template T
     * @param list<T> $items
     * @return list<T>
     */
    private function shuffle(array $items, int $round): array
    {
        $window = new Window(crc32("$this->seed/order/$round"));
        for ($last = count($items) - 1; $last > 0; $last--) {
            $other = $window->below($last + 1);
            [$items[$last], $items[$other]] = [$items[$other], $items[$last]];
        }

        return array_values($items);
    }
}
