<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Arms;
use Weft\Bench\Failure;
use Weft\Bench\Http;
use Weft\Bench\Json;
use Weft\Bench\Mariadb;
use Weft\Bench\Program;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Site;
use Weft\Bench\Suite;

/** The sales report of the example application: ten slow calls that need nothing from each other. */
final class Fanout extends Suite
{
    public const TITLE = 'Fan-out: ten calls of one report';
    public const ABOUT = 'Five HTTP calls of 250 ms, four queries of 200 ms and one of 150 ms for one report; nothing can be faster than the slowest of them. '
        . 'Weft makes them inside Laravel, the others in a script.';
    public const BASELINE = 'sequential';
    public const ARMS = ['weft', 'sequential', 'guzzle', 'swoole-coroutines'];
    public const WORKLOADS = ['HTTP only', 'full'];

    /** Single runs, not stretches of load: so many, the arms in turn. */
    private const TURNS = 15;
    private const TURNS_QUICK = 3;

    /** What is asked of the scripts and of /report, by workload, and how many calls that are. */
    private const CALLS = ['HTTP only' => ['http', '/report?only=http', 5], 'full' => ['full', '/report', 10]];

    private const SCRIPTS = ['sequential' => 'sequential', 'guzzle' => 'guzzle', 'swoole-coroutines' => 'swoole'];
    private const RUN_SECONDS = 30.0;

    /** What Weft may take longer than the slowest call. */
    private const OVERHEAD_MS = 3.0;

    private ?Mariadb $database = null;
    private ?Server $services = null;
    private ?Server $weft = null;

    public function round(int $number): void
    {
        $workspace = $this->bench->workspace;
        $plain = $this->bench->stage()->site(0.0);
        $this->bench->say('fanout: preparing MariaDB and the services');
        try {
            $this->database = Mariadb::start($workspace);
            $this->services = Arms::start('weft', $workspace, new Site("$workspace->root/bench/fanout/services.php", $plain->env), 1);
            $site = $this->bench->stage()->site(0.0, ['REPORT_SERVICES' => "http://127.0.0.1:{$this->services->port}"] + $this->database->environment());
            foreach ($this->arms(1, ['weft']) as $weft) {
                $this->weft = Arms::start($weft, $workspace, $site, 1, $this->bench->options->weft);
                // connects the pool
                Http::body($this->weft->port, '/report');
            }
            $arms = $this->alike();
            for ($turn = 0; $turn < $this->of(self::TURNS, self::TURNS_QUICK); $turn++) {
                $this->bench->say('fanout: turn ' . ($turn + 1));
                $first = $arms === [] ? 0 : $turn % count($arms);
                $this->turn([...array_slice($arms, $first), ...array_slice($arms, 0, $first)]);
            }
        } finally {
            $this->stop($this->weft);
            $this->stop($this->services);
            $this->database?->stop();
        }
    }

    /** @param list<string> $arms */
    private function turn(array $arms): void
    {
        $inARow = $this->run('sequential', 'HTTP only');
        $slowest = $inARow->number('milliseconds') / self::CALLS['HTTP only'][2];
        foreach (array_filter(self::WORKLOADS, $this->bench->options->wants(...)) as $workload) {
            foreach ($arms as $arm) {
                $this->attempt($arm, $workload, function () use ($arm, $workload, $inARow, $slowest): void {
                    $answer = [$arm, $workload] === ['sequential', 'HTTP only'] ? $inARow : $this->run($arm, $workload);
                    $elapsed = $answer->number('milliseconds');
                    $row = $this->add($arm, $workload, ['calls' => self::CALLS[$workload][2]], Sample::measured([
                        'elapsed' => $elapsed, 'slowest' => $slowest, 'overhead' => $elapsed - $slowest, 'cpu' => $answer->number('cpu'),
                    ]));
                    if ($arm === 'weft') {
                        $row->target('overhead', 'value', self::OVERHEAD_MS)->timeline = array_map(static fn (Json $call): array => [
                            'label' => $call->text('name'), 'start' => $call->number('started'), 'end' => $call->number('finished'),
                        ], $answer->items('calls'));
                    }
                });
            }
        }
    }

    /** @return list<string> the arms that answer the same as the first; whoever does not is left out before anything is timed */
    private function alike(): array
    {
        $expected = null;
        $alike = [];
        foreach ($this->arms(1) as $arm) {
            $this->attempt($arm, '*', function () use ($arm, &$expected, &$alike): void {
                $report = $this->run($arm, 'full')->at('report')->value();
                if (is_array($report)) {
                    ksort($report);
                }
                $expected ??= $report;
                $same = $report === $expected && is_array($report) && count($report) === 10;
                $text = Json::excerpt((string) json_encode($report));
                $this->bench->run->check('the same report from every arm', $same, $same ? 'compared before the first turn' : "$arm answers $text");
                $alike[] = $same ? $arm : throw new Failure("another report than the others: $text");
            });
        }

        return $alike;
    }

    /** milliseconds, cpu, report, and of Weft also calls */
    private function run(string $arm, string $workload): Json
    {
        if ($this->database === null || $this->services === null) {
            throw new Failure('MariaDB and the services are not there');
        }
        [$calls, $path] = self::CALLS[$workload];
        if ($arm === 'weft') {
            return Http::json($this->weft->port ?? throw new Failure('the server is not there'), $path);
        }
        $workspace = $this->bench->workspace;
        $swoole = $arm === 'swoole-coroutines' ? $workspace->swoole() : null;
        $command = [PHP_BINARY, ...($swoole === null ? [] : ['-d', "extension=$swoole"]), "$workspace->root/bench/fanout/" . self::SCRIPTS[$arm] . '.php',
            "http://127.0.0.1:{$this->services->port}", (string) $this->database->port, $calls];
        $program = Program::start("fanout/$arm", $command, $workspace->log("fanout-$arm"), ['PHP_INI_SCAN_DIR' => ":$workspace->run/ini"]);
        try {
            $status = $program->wait(self::RUN_SECONDS);

            return $status === 0 ? Json::decode($program->lastLine()) : throw new Failure(
                ($status === null ? 'not done in time: ' : "status $status: ") . Json::excerpt($program->output()),
            );
        } finally {
            $program->stop();
        }
    }
}
