<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Arms\Weft;
use Weft\Bench\Arms\WeftServer;
use Weft\Bench\Bench;
use Weft\Bench\Failure;
use Weft\Bench\Http;
use Weft\Bench\Mariadb;
use Weft\Bench\Missing;
use Weft\Bench\Server;
use Weft\Bench\Setup;
use Weft\Bench\Suite;
use Weft\Bench\Value;

/** The sales report of the example application: ten slow calls that need nothing from each other. */
final class FanoutSuite implements Suite
{
    private const ROUNDS = 15;
    private const ROUNDS_QUICK = 3;

    /** Most of it is the arm that waits for one call after the other. */
    private const SECONDS_EACH = 7.0;

    /** What is asked of the scripts, by workload. */
    private const WORKLOADS = ['HTTP only' => 'http', 'full' => 'full'];

    /** The slowest calls there are, all alike: 250 ms in the service and what it takes a client to get there and back. */
    private const HTTP_CALLS = 5;

    /** The same workload of /report. */
    private const PATHS = ['http' => '/report?only=http', 'full' => '/report'];

    /** What Weft may take longer than the slowest call. */
    private const OVERHEAD_MS = 3.0;

    private readonly FanoutArms $others;

    /** @var array<string, list<array{label: string, start: float, end: float}>> of Weft's last run, by what was asked for */
    private array $timelines = [];

    private ?Mariadb $database = null;
    private ?Server $services = null;
    private ?Server $weft = null;

    /** @var list<string> those that are there and answer the same */
    private array $taking = [];

    public function __construct(private readonly Bench $bench)
    {
        $this->others = new FanoutArms($bench->workspace);
    }

    public function name(): string
    {
        return 'fanout';
    }

    public function title(): string
    {
        return 'Fan-out: ten calls of one report';
    }

    public function about(): string
    {
        return 'Five HTTP calls of 250 ms, four queries of 200 ms and one of 150 ms for one report; nothing can be faster than the slowest of them. Weft makes them inside Laravel, the others in a script.';
    }

    public function baseline(): string
    {
        return 'sequential';
    }

    public function arms(): array
    {
        return ['weft', ...array_keys(FanoutArms::TITLES)];
    }

    public function workloads(): array
    {
        return array_keys(self::WORKLOADS);
    }

    /** Runs, not stretches of load: more than of other suites. */
    public function rounds(): int
    {
        return $this->bench->options->quick() ? self::ROUNDS_QUICK : self::ROUNDS;
    }

    public function seconds(): float
    {
        return self::SECONDS_EACH;
    }

    public function prepare(): void
    {
        $missing = Mariadb::missing();
        if ($missing !== null) {
            throw new Missing($missing);
        }
        $workspace = $this->bench->workspace;
        $stage = $this->bench->stage();
        $this->bench->console->say('fanout: preparing MariaDB and the services');
        $this->database = Mariadb::start($workspace);
        $this->services = WeftServer::start($workspace, "$workspace->root/bench/fanout/services.php", 1, [], $stage->env(0.0));
        foreach ($this->arms() as $arm) {
            $this->prepareArm($arm);
        }
        $this->compare();
    }

    public function round(int $number): void
    {
        $inARow = $this->run('sequential', 'http');
        $slowest = Value::number($inARow, 'milliseconds') / self::HTTP_CALLS;
        $first = $this->taking === [] ? 0 : ($number - 1) % count($this->taking);
        foreach (self::WORKLOADS as $workload => $calls) {
            if (!$this->bench->options->wants($workload)) {
                continue;
            }
            foreach ([...array_slice($this->taking, $first), ...array_slice($this->taking, 0, $first)] as $arm) {
                try {
                    $answer = [$arm, $calls] === ['sequential', 'http'] ? $inARow : $this->run($arm, $calls);
                    $this->add($arm, $workload, $answer, $slowest);
                } catch (Failure | Missing $e) {
                    $this->hole($arm, $workload, $e->getMessage());
                }
            }
        }
    }

    public function finish(): void
    {
        $this->describe();
        foreach ([$this->weft, $this->services] as $server) {
            $complaint = $server?->stop();
            if ($complaint !== null) {
                $this->bench->result->check('nothing left behind', false, $complaint);
            }
        }
        $this->database?->stop();
    }

    /** What the report needs beside the figures. */
    private function describe(): void
    {
        foreach ($this->bench->result->rows($this->name()) as $row) {
            if ($row->arm === 'weft') {
                $row->target('overhead', self::OVERHEAD_MS)->timeline($this->timelines[self::WORKLOADS[$row->workload]] ?? []);
            }
        }
    }

    /**
     * @param array<mixed> $answer
     *
     * @return list<array{label: string, start: float, end: float}>
     */
    private static function timeline(array $answer): array
    {
        $calls = [];
        foreach (is_array($answer['calls'] ?? null) ? $answer['calls'] : [] as $call) {
            if (is_array($call)) {
                $calls[] = ['label' => Value::text($call, 'name'), 'start' => Value::number($call, 'started'), 'end' => Value::number($call, 'finished')];
            }
        }

        return $calls;
    }

    private function prepareArm(string $arm): void
    {
        if (!$this->bench->options->wantsArm($arm)) {
            return;
        }
        $missing = $arm === 'weft' ? (new Weft(false))->missing($this->bench->workspace) : $this->others->missing($arm);
        if ($missing !== null) {
            $this->bench->result->arm($arm, FanoutArms::TITLES[$arm] ?? 'Weft', $missing);
            $this->bench->console->say("skipping $arm: $missing");

            return;
        }
        try {
            if ($arm === 'weft') {
                $this->weft = $this->serve();
            }
            $this->taking[] = $arm;
        } catch (Failure | Missing $e) {
            $this->hole($arm, '*', $e->getMessage());
        }
    }

    private function serve(): Server
    {
        $stage = $this->bench->stage();
        $environment = $stage->with('fanout', ['SESSION_DRIVER' => 'file', 'REPORT_SERVICES' => 'http://127.0.0.1:' . $this->services?->port()] + ($this->database?->environment() ?? []));
        $server = (new Weft(false))->start($this->bench->workspace, new Setup($stage->application, 1, $environment, $this->bench->options->weftOptions));
        // connects the pool
        Http::get($server->port(), '/report');

        return $server;
    }

    /** Before anything is timed: whoever answers something else than the first is left out. */
    private function compare(): void
    {
        $expected = null;
        $taking = [];
        foreach ($this->taking as $arm) {
            try {
                $report = $this->run($arm, 'full')['report'] ?? null;
                $expected ??= $report;
                $this->bench->result->check('the same report from every arm', $report === $expected, $report === $expected
                    ? 'compared before the first round' : "$arm answers " . Value::excerpt((string) json_encode($report)));
                if ($report !== $expected || !is_array($report) || count($report) !== 10) {
                    throw new Failure('another report than the others: ' . Value::excerpt((string) json_encode($report)));
                }
                $taking[] = $arm;
            } catch (Failure | Missing $e) {
                $this->hole($arm, '*', $e->getMessage());
            }
        }
        $this->taking = $taking;
    }

    /** @return array<mixed> milliseconds, cpu, report */
    private function run(string $arm, string $calls): array
    {
        if ($this->database === null || $this->services === null) {
            throw new Failure('MariaDB and the services are not there');
        }
        if ($arm !== 'weft') {
            return $this->others->run($arm, $calls, $this->services->port(), $this->database);
        }
        if ($this->weft === null) {
            throw new Failure('the server is not there');
        }
        $answer = Value::decode(Http::json($this->weft->port(), self::PATHS[$calls]));
        if (is_array($answer['report'] ?? null)) {
            ksort($answer['report']);
        }
        $this->timelines[$calls] = self::timeline($answer);

        return $answer;
    }

    /** @param array<mixed> $answer */
    private function add(string $arm, string $workload, array $answer, float $slowest): void
    {
        $elapsed = Value::number($answer, 'milliseconds');
        $this->bench->result->add($this->name(), $arm, $workload, ['calls' => $workload === 'full' ? 10 : 5], [
            'elapsed' => $elapsed,
            'slowest' => $slowest,
            'overhead' => $elapsed - $slowest,
            'cpu' => Value::number($answer, 'cpu'),
        ]);
    }

    private function hole(string $arm, string $workload, string $reason): void
    {
        $this->bench->console->say("FAILED fanout, $arm, $workload: " . Value::excerpt($reason));
        $this->bench->result->hole($this->name(), $arm, $workload, $reason, $arm === 'weft' ? substr((string) $this->weft?->output(), -4000) : '');
    }
}
