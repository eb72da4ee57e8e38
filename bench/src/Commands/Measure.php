<?php

declare(strict_types=1);

namespace Weft\Bench\Commands;

use Symfony\Component\Console\Application;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Command\SignalableCommandInterface;
use Symfony\Component\Console\Exception\InvalidArgumentException;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use Weft\Bench\Arms;
use Weft\Bench\Bench;
use Weft\Bench\Calibration;
use Weft\Bench\Failure;
use Weft\Bench\Interrupted;
use Weft\Bench\Machine;
use Weft\Bench\Missing;
use Weft\Bench\Options;
use Weft\Bench\Program;
use Weft\Bench\Report\Writer;
use Weft\Bench\Run;
use Weft\Bench\Suite;
use Weft\Bench\Workspace;

/** bench/run SUITE…: measures. Each suite is a command, which may name further ones. */
final class Measure extends Command implements SignalableCommandInterface
{
    /** 50,000 connections, with both ends of some on the same side, and a margin. */
    private const DESCRIPTORS = 131_072;

    /** @param list<string> $suites */
    private function __construct(string $name, private readonly array $suites, string $description)
    {
        parent::__construct($name);
        $this->setDescription($description)->addArgument('further', InputArgument::IS_ARRAY, 'further suites: ' . implode(', ', array_keys(Suite::ALL)));
        Options::define($this);
    }

    public static function application(): Application
    {
        $application = new Application('bench/run');
        $application->addCommands([
            new self('all', Suite::USUAL, implode(', ', Suite::USUAL) . ' (what a run without a name measures)'),
            ...array_map(static fn (string $name, string $class): self => new self($name, [$name], $class::TITLE), array_keys(Suite::ALL), Suite::ALL),
            new Report(), new Compare(), new Publish(),
        ]);

        return $application->setDefaultCommand('all');
    }

    /** @return list<int> */
    public function getSubscribedSignals(): array
    {
        return [SIGINT, SIGTERM];
    }

    public function handleSignal(int $signal, int|false $previousExitCode = 0): int|false
    {
        // Once is enough: the way out must not be interrupted again.
        pcntl_signal(SIGINT, SIG_IGN);
        pcntl_signal(SIGTERM, SIG_IGN);
        throw new Interrupted();
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $workspace = new Workspace();
        $machine = Machine::describe($workspace->root);
        $options = Options::from($input, $machine->cores);
        $further = $input->getArgument('further');
        $names = [...$this->suites, ...array_values(array_filter(is_array($further) ? $further : [], is_string(...)))];
        if ($options->quick && $this->getName() === 'all') {
            $names = array_diff($names, ['memory']);
        }
        $names = array_values(array_unique(array_map(static fn (string $name): string => Options::known('suite', $name, array_keys(Suite::ALL)), $names)));
        $lock = fopen("$workspace->run/.lock", 'c');
        if ($lock === false || !flock($lock, LOCK_EX | LOCK_NB)) {
            throw new InvalidArgumentException("Another bench/run uses $workspace->run; two at once would disturb each other.");
        }
        $profile = $options->quick ? 'quick' : ($options->changed || $this->getName() !== 'all' ? 'custom' : 'full');
        $settings = ['suites' => implode(' ', $names)] + $options->settings() + ['descriptors' => (string) self::raiseDescriptors()];
        $run = new Run("$workspace->results/" . gmdate('Ymd-His'), $machine->commit, $profile, $machine->facts, $machine->versions, $settings);
        $bench = new Bench($workspace, $options, $run, $output, $machine->cores);
        $suites = array_map(static fn (string $name): Suite => new (Suite::ALL[$name])($bench, $name), $names);
        self::describe($suites, $bench);
        // Before anything is started: whether there is room for the result.
        $run->save();

        return $this->measure($bench, $suites);
    }

    /** @param list<Suite> $suites */
    private function measure(Bench $bench, array $suites): int
    {
        register_shutdown_function(Program::stopAll(...));
        $status = 0;
        try {
            (new Calibration($bench))->run();
            self::rounds($bench, $suites, microtime(true) + 60 * $bench->options->get('limit'));
            $bench->run->finished = gmdate(DATE_ATOM);
        } catch (Interrupted) {
            $bench->say('Interrupted: stopping what was started; the report is partial.');
            $status = 130;
        } finally {
            Program::stopAll();
            $bench->run->save();
        }
        $bench->say('Report: ' . implode(', ', Writer::write($bench->run)) . ', from ' . Run::FILE);

        return $status ?: ($bench->run->hasFailed() ? 1 : 0);
    }

    /**
     * The first round of every suite, then the second of those that have one: whatever happens to the machine meanwhile
     * lies between the rounds of all, and when time is short what is left out is a round, never a suite.
     *
     * @param list<Suite> $suites
     * @param float       $limit  when a further round has to have ended, as a time of the clock
     */
    public static function rounds(Bench $bench, array $suites, float $limit): void
    {
        $took = [];
        $out = [];
        for ($round = 1; $round <= max([1, ...array_map(static fn (Suite $suite): int => $suite->rounds(), $suites)]); $round++) {
            foreach ($suites as $suite) {
                if ($round > $suite->rounds() || isset($out[$suite->name])) {
                    continue;
                }
                if ($round > 1 && microtime(true) + $took[$suite->name] > $limit) {
                    $bench->run->settings["rounds left out of $suite->name, for lack of time"] = (string) ($suite->rounds() - $round + 1);
                    $out[$suite->name] = true;
                    continue;
                }
                $start = microtime(true);
                $bench->say("$suite->name: round $round of {$suite->rounds()}");
                try {
                    $suite->round($round);
                } catch (Failure | Missing $e) {
                    $bench->say(($e instanceof Missing ? 'skipping' : 'FAILED') . " $suite->name: {$e->getMessage()}");
                    $bench->run->hole($suite->name, '*', '*', $e->getMessage(), $e instanceof Missing);
                    $out[$suite->name] = true;
                }
                $bench->run->save();
                $took[$suite->name] = microtime(true) - $start;
            }
        }
        array_map(static fn (Suite $suite) => $suite->finish(), $suites);
    }

    /**
     * What takes part; a name that none of the suites has is refused.
     *
     * @param list<Suite> $suites
     */
    private static function describe(array $suites, Bench $bench): void
    {
        foreach ($bench->options->workloads as $name) {
            Options::known('workload', $name, array_merge(...array_map(static fn (Suite $suite): array => $suite->workloads(), $suites)));
        }
        $arms = array_values(array_unique(array_merge(...array_map(static fn (Suite $suite): array => $suite::ARMS, $suites))));
        if ($bench->options->arms !== [] && array_intersect($bench->options->arms, $arms) === []) {
            throw new InvalidArgumentException('None of these suites has an arm "' . implode('", "', $bench->options->arms) . '". They have: ' . implode(', ', $arms));
        }
        foreach ($arms as $arm) {
            $missing = $bench->options->wantsArm($arm) || !isset((Arms::SERVERS + Arms::FANOUT)[$arm]) ? Arms::missing($arm, $bench->workspace) : Run::UNWANTED;
            $bench->run->arms[$arm] = ['title' => Arms::TITLES[$arm], 'skipped' => $missing];
            if ($missing !== null && $missing !== Run::UNWANTED) {
                $bench->say('skipping ' . Arms::TITLES[$arm] . ": $missing");
            }
        }
        foreach ($suites as $suite) {
            $bench->run->suites[$suite->name] = ['title' => $suite::TITLE, 'about' => $suite::ABOUT, 'baseline' => $suite::BASELINE];
        }
    }

    /** So that servers, which inherit the limit, can hold many connections. Returns the limit. */
    private static function raiseDescriptors(): int
    {
        $hard = posix_getrlimit()['hard openfiles'] ?? 1024;
        $most = posix_geteuid() === 0 ? self::DESCRIPTORS : (is_numeric($hard) ? (int) $hard : self::DESCRIPTORS);
        Program::run(['prlimit', '--pid', (string) getmypid(), "--nofile=$most:$most"]);
        $soft = posix_getrlimit()['soft openfiles'] ?? 0;

        return is_numeric($soft) ? (int) $soft : $most;
    }
}
