<?php

declare(strict_types=1);

namespace Weft\Bench;

/** A set of measurements. raw.json is written after each round; finish() comes when there are no more, whatever has happened. */
abstract class Suite
{
    /** @var array<string, class-string<self>> in the order in which they run */
    public const ALL = [
        'database' => Suites\Database::class, 'latency' => Suites\Latency::class, 'equal' => Suites\Equal::class, 'effects' => Suites\Effects::class,
        'theory' => Suites\Theory::class, 'fanout' => Suites\Fanout::class, 'scale' => Suites\Scale::class, 'memory' => Suites\Memory::class,
        'micro' => Suites\Micro::class, 'isolation' => Suites\Isolation::class, 'soak' => Suites\Soak::class, 'growth' => Suites\Growth::class,
        'flood' => Suites\Flood::class, 'fair' => Suites\Fair::class, 'balance' => Suites\Balance::class, 'crowd' => Suites\Crowd::class,
        'classic' => Suites\Classic::class, 'symfony' => Suites\Symfony::class, 'plain' => Suites\Plain::class,
        'httparena' => Suites\HttpArena::class, 'techempower' => Suites\TechEmpower::class, 'web' => Suites\Web::class,
    ];

    /** Those of a run that names none. */
    public const USUAL = ['database', 'latency', 'equal', 'effects', 'theory', 'fanout', 'scale', 'memory', 'micro', 'fair'];

    /** @var string */
    public const TITLE = '';

    /** @var string what it shows, in one or two sentences */
    public const ABOUT = '';

    /** @var string the arm that ratios are taken against */
    public const BASELINE = 'fpm';

    /** @var list<string> the arms it can compare */
    public const ARMS = ['weft'];

    /** @var list<string> what --workload= may name */
    public const WORKLOADS = [];

    /** The pages of the example that are loaded, as one would name them for an application that is deployed. */
    protected const WARM = '--warm=/,/hello,/test,/bench';

    /** @var array<string, array{string, string}> the first arm to answer a path, and its body */
    private static array $bodies = [];

    final public function __construct(protected readonly Bench $bench, public readonly string $name)
    {
    }

    abstract public function round(int $number): void;

    public function rounds(): int
    {
        return 1;
    }

    public function finish(): void
    {
    }

    /** @return list<string> */
    public function workloads(): array
    {
        return static::WORKLOADS;
    }

    /**
     * The arms that are wanted and there; a round's order begins with another one each time, so that none always meets
     * the colder machine.
     *
     * @param list<string>|null $names
     *
     * @return list<string>
     */
    protected function arms(int $round, ?array $names = null): array
    {
        $there = fn (string $arm): bool => $this->bench->options->wantsArm($arm) && Arms::missing($arm, $this->bench->workspace) === null;
        $arms = array_values(array_filter($names ?? static::ARMS, $there));
        $first = $arms === [] ? 0 : ($round - 1) % count($arms);

        return [...array_slice($arms, $first), ...array_slice($arms, 0, $first)];
    }

    /**
     * An arm is up for some measurements; what fails becomes a hole, not an end.
     *
     * @param \Closure(Server): void $measure
     * @param list<string>           $weft    options for bin/weft serve alone
     */
    protected function serve(string $arm, int $workers, Site $site, \Closure $measure, array $weft = []): void
    {
        $server = null;
        $this->bench->say("$this->name: " . Arms::SERVERS[$arm] . ", $workers worker" . ($workers > 1 ? 's' : ''));
        try {
            $server = Arms::start($arm, $this->bench->workspace, $site, $workers, [...$weft, ...$this->bench->options->weft]);
            Http::body($server->port, $site->probe, listens: $server->listens);
            // A Weft that could not warm up serves all the same, but it is not what the rows say they show.
            if (preg_match('/^\s*(Warm|Cold): (.*)$/m', $server->output(), $match) === 1) {
                $this->bench->run->check(Arms::SERVERS[$arm] . ' warms up', $match[1] === 'Warm' || in_array('--warm=off', $weft, true), $match[2]);
            }
            $measure($server);
        } catch (Failure | Missing $e) {
            $this->hole($arm, '*', $e);
        } finally {
            $this->stop($server);
        }
    }

    protected function stop(?Server $server): void
    {
        $complaint = $server?->stop();
        if ($complaint !== null) {
            $this->bench->run->check('nothing left behind', false, $complaint);
        }
    }

    /** @param \Closure(): void $measure */
    protected function attempt(string $arm, string $workload, \Closure $measure): void
    {
        try {
            $measure();
        } catch (Failure | Missing $e) {
            $this->hole($arm, $workload, $e);
        }
    }

    /** Before any load: whoever answers something else than the others is not measured. */
    protected function compareBodies(string $arm, Server $server, string $path, string $application = 'Laravel'): void
    {
        $body = Http::body($server->port, $path);
        [$first, $expected] = self::$bodies["$application $path"] ??= [$arm, $body];
        $difference = Http::difference($expected, $body);
        $detail = $difference === null ? 'compared before the load, up to numbers' : "$arm against $first: $difference";
        $this->bench->run->check("the same body from every arm, $application $path", $difference === null, $detail);
        if ($difference !== null) {
            throw new Failure($difference);
        }
    }

    protected function closed(Server $server, Page $page, int $connections, bool $mayOverload = false): Sample
    {
        return Sample::closed($this->bench->workspace, $server, $page, $connections, $this->bench->options->get('duration'), $this->bench->stage()->database, $mayOverload);
    }

    /** @param array<string, scalar> $parameters */
    protected function add(string $arm, string $workload, array $parameters, Sample $sample, ?string $pair = null): Row
    {
        return $this->bench->run->add($this->name, $arm, $workload, $parameters, $sample, $pair);
    }

    protected function hole(string $arm, string $workload, \Throwable $why): void
    {
        $this->bench->say(($why instanceof Missing ? 'skipping' : 'FAILED') . " $this->name, $arm, $workload: " . Json::excerpt($why->getMessage()));
        $this->bench->run->hole($this->name, $arm, $workload, $why->getMessage(), $why instanceof Missing);
    }

    /**
     * @template T
     *
     * @param T $full
     * @param T $quick
     *
     * @return T
     */
    protected function of(mixed $full, mixed $quick): mixed
    {
        return $this->bench->options->quick ? $quick : $full;
    }
}
