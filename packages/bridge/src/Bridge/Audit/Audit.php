<?php

declare(strict_types=1);

namespace Weft\Bridge\Audit;

use Closure;
use Throwable;
use Weft\Bridge\Application;
use Weft\Bridge\Applications;
use Weft\Bridge\Classic;
use Weft\Bridge\Directives;
use Weft\Bridge\DryRun\Excerpt;
use Weft\Bridge\DryRun\FailureNote;
use Weft\Bridge\DryRun\Outcome;
use Weft\Bridge\DryRun\ProcessState;
use Weft\Bridge\DryRun\Runner;
use Weft\Bridge\DryRun\Safeguards;
use Weft\Bridge\DryRun\Visitor;
use Weft\Bridge\Extensions;
use Weft\Bridge\LogsIn;
use Weft\Bridge\UnusableApplication;
use Weft\Bridge\Warmable;
use Weft\Bridge\WarmUp\WarmUp;

use function Weft\Internal\changes;
use function Weft\Internal\references;
use function Weft\Internal\shared_values;
use function Weft\Isolation\run;
use function Weft\Isolation\shared;
use function Weft\Isolation\snapshot;
use function Weft\Isolation\stats;
use function Weft\Isolation\uncovered;
use function Weft\Server\become_server;

/**
 * Boots an application as a server would, asks for its pages as two made-up visitors, and tells what each request
 * has changed. What it finds goes out as events, one at a time, since a page may end this process.
 *
 * @internal
 */
final class Audit
{
    private readonly Declarations $declarations;

    private function __construct(
        private readonly Orders $orders,
        private readonly Events $events,
        private readonly Runner $runner,
    ) {
        $this->declarations = new Declarations();
    }

    public static function main(): never
    {
        $orders = Orders::fromCommandLine();
        $events = new Events();
        become_server();
        $what = '';
        try {
            $application = self::audited($orders->application, $orders->as);
            $what = 'the application did not boot: ';
            Directives::check();
            chdir($application->workingDirectory());
            $application->boot();
            $application->settings()->shared()->share();
            $safeguards = $application->safeguards();
            $safeguards->install();
            $safeguards->noteFailures();
            $handler = $application->handler();
            $runner = new Runner(self::loggedIn($application, $handler, $orders->as), $safeguards);
            $pages = $orders->urlsOnly ? [] : $application->pages();
            // loaded here, so that no page seems to load them
            array_map(class_exists(...), [
                Declarations::class, ProcessState::class, Visitor::class, Outcome::class, FailureNote::class, Growth::class,
                Marks::class, Excerpt::class,
            ]);
            $warm = self::takeSnapshot($application, $handler, $safeguards, $orders->cold);
            self::tryLogIn($application, $orders->as);
        } catch (Throwable $error) {
            $known = $error instanceof UnusableApplication;
            $place = "\n  in " . $error->getFile() . ':' . $error->getLine();
            $events->tell('refused', ['message' => $what . ($known ? $error->getMessage() : $error::class . ': ' . $error->getMessage() . $place)]);
            exit(1);
        }
        $events->tell('booted', [
            'application' => $application->describe(),
            'php' => PHP_VERSION,
            'logsIn' => $application instanceof LogsIn,
            'pages' => $pages,
            'gaps' => $safeguards->gaps(),
            'warm' => $warm,
            'snapshot' => stats(),
            'uncovered' => uncovered(),
            'extensions' => Extensions::waiting(),
            'references' => references(),
            'shared' => shared(),
        ]);
        (new self($orders, $events, $runner))->run($pages);
        $events->tell('done', []);
        exit(0);
    }

    private static function audited(string $path, string $user): Application
    {
        $application = Applications::recognise($path);
        if ($application instanceof Classic\Application) {
            throw new UnusableApplication("$path holds PHP scripts, which share nothing between requests: there is nothing to audit.");
        }
        if ($user !== '' && !$application instanceof LogsIn) {
            throw new UnusableApplication("--as=$user: Weft knows how to log in to Laravel applications only. Send what this one asks for with --header or --cookie.");
        }

        return $application;
    }

    /**
     * @param Closure(): void $handler
     * @return Closure(): void
     */
    private static function loggedIn(Application $application, Closure $handler, string $user): Closure
    {
        if ($user === '' || !$application instanceof LogsIn) {
            return $handler;
        }

        return static function () use ($application, $handler, $user): void {
            $application->logIn($user);
            $handler();
        };
    }

    /**
     * Once, before all pages fail of it.
     *
     * @throws Throwable when there is no such user
     */
    private static function tryLogIn(Application $application, string $user): void
    {
        if ($user === '' || !$application instanceof LogsIn) {
            return;
        }
        $problem = null;
        run(static function () use ($application, $user, &$problem): void {
            try {
                $application->logIn($user);
            } catch (Throwable $error) {
                $problem = $error instanceof UnusableApplication ? $error->getMessage() : "--as=$user: " . $error->getMessage();
            }
        });
        if ($problem !== null) {
            throw new UnusableApplication($problem);
        }
    }

    /**
     * @return array{Visitor, Visitor}
     */
    private function visitors(): array
    {
        return [
            Visitor::first()->sending($this->orders->headers, $this->orders->cookies),
            Visitor::second()->sending($this->orders->headers, $this->orders->cookies),
        ];
    }

    /**
     * As a server would: warm, if Weft knows how.
     *
     * @param Closure(): void $handler
     * @return array{outcome: string, kept: list<string>, putBack: array<string, string>, leftOut: array<string, string>}|null null: cold: asked for, or no page is named
     */
    private static function takeSnapshot(Application $application, Closure $handler, Safeguards $safeguards, bool $cold): ?array
    {
        if ($cold || !$application instanceof Warmable) {
            snapshot();

            return null;
        }
        try {
            $hooks = $application->warmUpHooks();
        } catch (UnusableApplication $reason) {
            snapshot();

            return ['outcome' => 'cold: ' . $reason->getMessage(), 'kept' => [], 'putBack' => [], 'leftOut' => []];
        }
        if ($hooks->pages() === []) {
            snapshot();

            return null;
        }
        $report = (new WarmUp($hooks, $handler, $safeguards, $hooks->pages()))->run();

        return ['outcome' => $report->line(), 'kept' => $report->kept, 'putBack' => $report->putBack, 'leftOut' => $report->leftOut];
    }

    /**
     * @param list<string> $pages
     */
    private function run(array $pages): void
    {
        $pages = array_unique([...$pages, ...$this->orders->urls]);
        [$first, $second] = $this->visitors();
        foreach (array_diff($pages, $this->orders->skip) as $url) {
            $this->events->tell('asking', ['page' => $url]);
            $this->events->tell('page', ['page' => $url, 'visits' => [$this->visit($first, $url), $this->visit($second, $url)]]);
        }
        if ($this->orders->growth > 0) {
            $this->repeat(array_diff($pages, $this->orders->repeated));
        }
    }

    /**
     * All have been asked for, so the command knows how long it will take.
     *
     * @param array<string> $pages
     */
    private function repeat(array $pages): void
    {
        $growth = new Growth($this->runner, $this->visitors(), $this->orders->growth, $this->orders->growthSeconds);
        $this->events->tell('asked', []);
        foreach ($pages as $url) {
            $this->events->tell('repeating', ['page' => $url, 'requests' => 0]);
            $this->events->tell('growth', ['page' => $url] + $growth->of($url, fn (int $requests) => $this->events->tell('repeating', ['page' => $url, 'requests' => $requests])));
        }
    }

    /**
     * @return array<string, mixed>
     */
    private function visit(Visitor $visitor, string $url): array
    {
        $seen = ['changes' => [], 'state' => [], 'shared' => []];
        $before = ProcessState::now();
        $begin = $end = hrtime(true);
        $outcome = $this->runner->request($visitor, $url, function () use (&$seen, &$end, $before): void {
            $end = hrtime(true);
            $seen = $this->look($before);
        });

        return [
            'visitor' => $visitor->name,
            'status' => $outcome->status,
            'detail' => $outcome->detail,
            'bytes' => $outcome->bytes,
            'seconds' => round(($end - $begin) / 1e9, 4),
            ...$seen,
            'left' => $before->changes(ProcessState::now()),
        ];
    }

    /**
     * @return array{changes: list<array<string, mixed>>, state: array<string, string>, shared: list<array<string, mixed>>}
     */
    private function look(ProcessState $before): array
    {
        $state = $before->changes(ProcessState::now());
        $changes = [];
        foreach (changes() as $change) {
            // the request itself, and our note on it, not something that it changed
            $inputs = ['_GET', '_POST', '_COOKIE', '_FILES', '_REQUEST', '_SERVER', '_ENV'];
            if ($change['class'] !== FailureNote::class && ($change['kind'] !== 'global' || !in_array($change['name'], $inputs, true))) {
                $changes[] = $this->declarations->place($change);
            }
        }

        return [
            'changes' => $changes,
            'state' => $state,
            'shared' => array_map(static fn (array $slot): array => ['value' => Excerpt::of($slot['value'])] + $slot, shared_values()),
        ];
    }
}
