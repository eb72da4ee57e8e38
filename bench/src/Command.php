<?php

declare(strict_types=1);

namespace Weft\Bench;

use Weft\Bench\Report\Commands;
use Weft\Bench\Report\Unreadable;
use Weft\Bench\Report\Writer;

/** bench/run */
final class Command
{
    /** 50,000 connections, with both ends of some on the same side, and a margin. */
    private const DESCRIPTORS = 131_072;

    private const MANY_ROUNDS = 5;

    /** @param list<string> $arguments */
    public static function main(array $arguments): int
    {
        if (array_intersect($arguments, ['-h', '--help', 'help']) !== []) {
            echo Options::usage() . "\n" . Commands::USAGE;

            return 0;
        }
        if (in_array($arguments[0] ?? '', Commands::NAMES, true)) {
            return Commands::main($arguments[0], array_slice($arguments, 1));
        }
        try {
            $root = dirname(__DIR__, 2);
            $machine = Machine::describe($root);
            $options = Options::parse($arguments, $machine->cores);

            return self::run($options, $machine);
        } catch (\InvalidArgumentException $e) {
            fwrite(STDERR, $e->getMessage() . "\n");

            return 2;
        } catch (Failure | Missing $e) {
            // Of what is measured a failure is a hole in the report: this one is about the report itself.
            fwrite(STDERR, $e->getMessage() . "\n");

            return 1;
        }
    }

    private static function run(Options $options, Machine $machine): int
    {
        $workspace = new Workspace();
        $lock = fopen("$workspace->run/.lock", 'c');
        if ($lock === false) {
            throw new Failure("Could not write to $workspace->run");
        }
        if (!flock($lock, LOCK_EX | LOCK_NB)) {
            fwrite(STDERR, "Another bench/run uses $workspace->run; two at once would disturb each other.\n");

            return 2;
        }
        $result = new Result($workspace->report, $machine, $options->changed ? 'custom' : $options->profile, $options->toArray());
        $bench = new Bench($workspace, $options, $result, new Console(), $machine);
        $suites = array_map(static fn (string $name): Suite => Suites::make($name, $bench), $options->suites);
        self::checkWorkloads($suites, $options);
        self::checkArms($suites, $options);
        // Before anything is started: whether there is room for the result.
        $result->save();
        self::describeArms($suites, $bench);
        $result->setting('descriptors', self::raiseDescriptors());
        self::stopOnSignals();
        $status = 0;
        $limit = microtime(true) + $options->limit;
        try {
            foreach ($suites as $suite) {
                $bench->console->expect($suite->rounds() * $suite->seconds());
            }
            (new Calibration($bench))->run();
            foreach ($suites as $number => $suite) {
                $later = array_sum(array_map(self::least(...), array_slice($suites, $number + 1)));
                self::measure($suite, $bench, $limit - $later);
            }
            $result->finish();
        } catch (Interrupted) {
            $bench->console->note('Interrupted: stopping what was started; the report is partial.');
            $status = 130;
        } finally {
            Process::stopAll();
            $result->save();
        }
        $bench->console->clear();
        self::report($result);

        return $status ?: ($result->hasHoles() ? 1 : 0);
    }

    /** What a suite needs at least: one round, or all when its rounds are single runs. */
    private static function least(Suite $suite): float
    {
        return $suite->seconds() * ($suite->rounds() > self::MANY_ROUNDS ? $suite->rounds() : 1);
    }

    private static function report(Result $result): void
    {
        try {
            Writer::write(dirname($result->file()));
            fwrite(STDERR, 'Report: ' . dirname($result->file()) . "/report.html, report.md\n");
        } catch (Unreadable $e) {
            fwrite(STDERR, "No report: {$e->getMessage()}\n");
        }
        fwrite(STDERR, "Result: {$result->file()}\n");
    }

    /** @param float $limit when further rounds have to make way for the suites to come, as a time of the clock */
    private static function measure(Suite $suite, Bench $bench, float $limit): void
    {
        $bench->result->suite($suite);
        try {
            $suite->prepare();
            for ($round = 1; $round <= $suite->rounds(); $round++) {
                if ($round > 1 && microtime(true) + $suite->seconds() > $limit) {
                    $bench->result->setting("rounds left out of {$suite->name()}, for lack of time", $suite->rounds() - $round + 1);
                    $bench->console->advance(($suite->rounds() - $round + 1) * $suite->seconds());
                    break;
                }
                $bench->console->say(sprintf('%s: round %d of %d', $suite->name(), $round, $suite->rounds()));
                $suite->round($round);
                $bench->result->save();
                $bench->console->advance($suite->seconds());
            }
        } catch (Failure | Missing $e) {
            $skipped = $e instanceof Missing;
            $bench->console->note(($skipped ? 'skipping' : 'FAILED') . " {$suite->name()}: " . Value::excerpt($e->getMessage()));
            $bench->result->hole($suite->name(), '*', '*', $e->getMessage(), skipped: $skipped);
        } finally {
            $suite->finish();
            $bench->result->save();
        }
    }

    /** @param list<Suite> $suites */
    private static function checkWorkloads(array $suites, Options $options): void
    {
        $known = array_values(array_unique(array_merge(...array_map(static fn (Suite $suite): array => $suite->workloads(), $suites))));
        foreach ($options->workloads as $name) {
            Options::known('workload', $name, $known);
        }
    }

    /** @param list<Suite> $suites */
    private static function checkArms(array $suites, Options $options): void
    {
        $known = array_values(array_unique(array_merge(...array_map(static fn (Suite $suite): array => $suite->arms(), $suites))));
        if ($options->arms !== [] && array_intersect($options->arms, $known) === []) {
            throw new \InvalidArgumentException('None of these suites has an arm "' . implode('", "', $options->arms) . '". They have: ' . implode(', ', $known));
        }
    }

    /** @param list<Suite> $suites */
    private static function describeArms(array $suites, Bench $bench): void
    {
        foreach (array_unique(array_merge(...array_map(static fn (Suite $suite): array => $suite->arms(), $suites))) as $name) {
            if (isset(Arms::REFERENCES[$name])) {
                $bench->result->arm($name, Arms::REFERENCES[$name], null);
                continue;
            }
            $arm = Arms::get($name);
            $missing = $bench->options->wantsArm($name) ? $arm->missing($bench->workspace) : 'not asked for';
            $bench->result->arm($name, $arm->title(), $missing);
            if ($missing !== null && $missing !== 'not asked for') {
                $bench->console->note("skipping {$arm->title()}: $missing");
            }
        }
    }

    /** So that servers, which inherit the limit, can hold many connections. Returns the limit. */
    private static function raiseDescriptors(): int
    {
        $hard = posix_getrlimit()['hard openfiles'] ?? 1024;
        $most = posix_geteuid() === 0 ? self::DESCRIPTORS : (is_numeric($hard) ? (int) $hard : self::DESCRIPTORS);
        Workspace::capture(['prlimit', '--pid', (string) getmypid(), "--nofile=$most:$most"]);

        $soft = posix_getrlimit()['soft openfiles'] ?? 0;

        return is_numeric($soft) ? (int) $soft : $most;
    }

    private static function stopOnSignals(): void
    {
        pcntl_async_signals(true);
        $interrupt = static function (): never {
            // Once is enough: the way out must not be interrupted again.
            pcntl_signal(SIGINT, SIG_IGN);
            pcntl_signal(SIGTERM, SIG_IGN);
            throw new Interrupted();
        };
        pcntl_signal(SIGINT, $interrupt, false);
        pcntl_signal(SIGTERM, $interrupt, false);
        register_shutdown_function(Process::stopAll(...));
    }
}
