<?php

declare(strict_types=1);

namespace Weft\Bench;

/** bench/run */
final class Command
{
    /** @param list<string> $arguments */
    public static function main(array $arguments): int
    {
        if (array_intersect($arguments, ['-h', '--help', 'help']) !== []) {
            echo Options::USAGE;

            return 0;
        }
        try {
            $options = Options::parse($arguments);
        } catch (\InvalidArgumentException $e) {
            fwrite(STDERR, $e->getMessage() . "\n\n" . Options::USAGE);

            return 2;
        }

        return self::run($options);
    }

    private static function run(Options $options): int
    {
        $workspace = new Workspace();
        $lock = fopen("$workspace->run/.lock", 'c');
        if ($lock === false || !flock($lock, LOCK_EX | LOCK_NB)) {
            fwrite(STDERR, "Another bench/run uses $workspace->run; two at once would disturb each other.\n");

            return 2;
        }
        $report = new Report($workspace->report, Machine::describe($workspace->root), $options->toArray());
        $bench = new Bench($workspace, $options, $report, new Console());
        self::stopOnSignals();
        $status = 0;
        try {
            $suites = array_map(static fn (string $name): Suite => self::suite($name, $bench), $options->suites);
            foreach ($suites as $suite) {
                $bench->console->expect($suite->seconds());
            }
            foreach ($suites as $suite) {
                $suite->run();
            }
            $report->finish();
        } catch (Interrupted) {
            fwrite(STDERR, "\nInterrupted: stopping what was started; the report is partial.\n");
            $status = 130;
        } finally {
            Process::stopAll();
        }
        echo $report->summary();

        return $status ?: ($report->succeeded() ? 0 : 1);
    }

    private static function suite(string $name, Bench $bench): Suite
    {
        return match ($name) {
            'micro' => new MicroSuite($bench),
            'serve' => new ServeSuite($bench),
            'memory' => new MemorySuite($bench),
            'growth' => new GrowthSuite($bench),
            default => new SoakSuite($bench),
        };
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
