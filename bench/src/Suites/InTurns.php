<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Arms;
use Weft\Bench\Failure;
use Weft\Bench\Http;
use Weft\Bench\Missing;
use Weft\Bench\Page;
use Weft\Bench\ProcessTree;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Site;
use Weft\Bench\Stats;
use Weft\Bench\Suite;

/**
 * First one request after the other, with the servers of all arms up and in turns: the CPU time of the processes that run
 * PHP. Then many at once, one arm after the other.
 */
abstract class InTurns extends Suite
{
    protected const WORKERS = 2;
    private const CLIENTS = 64;

    private const TURNS = 15;
    private const TURNS_QUICK = 4;

    protected const QUIET = ['-d', 'weft.http_access_log=0'];

    public function rounds(): int
    {
        return (int) $this->bench->options->get('rounds');
    }

    /**
     * @param list<string> $arms
     * @param int          $requests of a turn, which should last some tenths of a second
     * @param float|null   $goal     what a request may cost more than PHP-FPM's, in microseconds
     */
    protected function inTurns(string $name, Site $site, Page $page, array $arms, int $requests, ?float $goal = null): void
    {
        $servers = [];
        $this->bench->say("$this->name: $name, in turns");
        try {
            foreach ($arms as $arm) {
                $this->attempt($arm, $name, function () use (&$servers, $arm, $name, $site, $page, $requests): void {
                    $server = Arms::start($arm, $this->bench->workspace, $site, 1, [...self::QUIET, ...$this->bench->options->weft]);
                    $servers[$arm] = $server;
                    $this->compareBodies($arm, $server, $page->path, $name);
                    Http::ask($server, $page->path, $requests, 1);
                });
            }
            $taken = [];
            for ($turn = 0; $turn < $this->of(self::TURNS, self::TURNS_QUICK); $turn++) {
                foreach ($turn % 2 === 0 ? $servers : array_reverse($servers, true) as $arm => $server) {
                    $start = self::cpu($server);
                    Http::ask($server, $page->path, $requests, 1);
                    $taken[$arm][$turn] = (self::cpu($server) - $start) / $requests;
                }
            }
            foreach ($taken as $arm => $turns) {
                $metrics = ['cpu_php' => Stats::median(array_values($turns))];
                if ($arm !== self::BASELINE && isset($taken[self::BASELINE])) {
                    $metrics['cpu_over'] = Stats::median(array_map(static fn (float $weft, float $fpm): float => $weft - $fpm, $turns, $taken[self::BASELINE]));
                }
                $row = $this->add($arm, $name, ['workers' => 1, 'load' => 'closed', 'concurrency' => 1], Sample::measured($metrics));
                $goal === null || $row->target('cpu_over', 'value', $goal);
            }
        } catch (Failure | Missing $e) {
            $this->hole($arm ?? 'weft', $name, $e);
        } finally {
            array_map($this->stop(...), $servers);
        }
    }

    /** @param bool $paired whether this row is what the other arms are compared with */
    protected function atOnce(string $arm, string $name, Site $site, Page $page, int $workers, bool $paired): void
    {
        $this->serve($arm, $workers, $site, function (Server $server) use ($arm, $name, $page, $workers, $paired): void {
            $this->compareBodies($arm, $server, $page->path, $name);
            $clients = $this->bench->options->list('clients', [self::CLIENTS]);
            foreach ($clients as $count) {
                $sample = Sample::closed($this->bench->workspace, $server, $page, $count, $this->bench->options->get('duration'));
                $row = $this->add($arm, $name, ['workers' => $workers, 'load' => 'closed', 'concurrency' => $count], $sample->with(['pss_idle' => $server->processes()->pss()]));
                // several belong into one table
                $row->pair = $paired && count($clients) === 1 ? "$count at once" : null;
            }
        }, self::QUIET);
    }

    /** Microseconds that all processes but nginx's have had a CPU. */
    private static function cpu(Server $server): float
    {
        $php = array_filter($server->processes()->pids(), static fn (int $pid): bool => @file_get_contents("/proc/$pid/comm") !== "nginx\n");

        return array_sum(array_map(ProcessTree::onCpu(...), $php)) / 1000;
    }
}
