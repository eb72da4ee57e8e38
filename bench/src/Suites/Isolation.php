<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Arms;
use Weft\Bench\Failure;
use Weft\Bench\Http;
use Weft\Bench\Json;
use Weft\Bench\Missing;
use Weft\Bench\ProcessTree;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Stats;
use Weft\Bench\Suite;

/**
 * What isolation costs when requests come one after the other: CPU time of the worker with a warm base, with a cold
 * one, and without isolation. The three servers are up at the same time and take turns, many times a round, so that
 * whatever else the machine does hits all of them.
 */
final class Isolation extends Suite
{
    public const TITLE = 'What isolation costs';
    public const ABOUT = 'CPU time of one worker for requests that come one after the other, with and without isolation, for applications with few and with many routes.';
    public const BASELINE = 'weft';
    public const WORKLOADS = ['/hello', '/', '/test'];

    private const MODES = ['off' => ['--isolation=off'], 'warm' => [], 'cold' => ['--warm=off']];

    /** Routes that nobody asks for, beside the application's own. */
    private const EXTRA_ROUTES = [0, 980];
    private const OWN_ROUTES = 20;

    private const TURNS = 15;
    private const TURNS_QUICK = 4;
    private const REQUESTS = 100;

    public function rounds(): int
    {
        return (int) $this->bench->options->get('rounds');
    }

    public function round(int $number): void
    {
        foreach ($this->arms(1) === [] ? [] : self::EXTRA_ROUTES as $routes) {
            $servers = [];
            try {
                $site = $this->bench->stage()->site(0.0, $routes === 0 ? [] : ['WEFT_BENCH_ROUTES' => (string) $routes]);
                foreach (self::MODES as $mode => $options) {
                    $servers[$mode] = Arms::start('weft', $this->bench->workspace, $site, 1, [...$options, '-d', 'weft.http_access_log=0', ...$this->bench->options->weft]);
                }
                if (str_contains($servers['warm']->output(), 'Cold: ')) {
                    throw new Failure('The base stayed cold: ' . Json::excerpt($servers['warm']->output()));
                }
                foreach (array_filter(self::WORKLOADS, $this->bench->options->wants(...)) as $page) {
                    $this->bench->say("$this->name: $page, " . ($routes + self::OWN_ROUTES) . ' routes');
                    $this->measure($page, $routes + self::OWN_ROUTES, $servers);
                }
            } catch (Failure | Missing $e) {
                $this->hole('weft', "$routes extra routes", $e);
            } finally {
                array_map($this->stop(...), $servers);
            }
        }
    }

    /** @param non-empty-array<string, Server> $servers */
    private function measure(string $page, int $routes, array $servers): void
    {
        $turns = $this->of(self::TURNS, self::TURNS_QUICK);
        foreach ($servers as $server) {
            // These fill pools and caches.
            Http::ask($server, $page, self::REQUESTS, 1);
        }
        $before = array_map(self::scans(...), $servers);
        $cpu = $ratios = [];
        for ($turn = 0; $turn < $turns; $turn++) {
            $taken = [];
            foreach ($turn % 2 === 0 ? $servers : array_reverse($servers, true) as $mode => $server) {
                $start = self::cpu($server);
                Http::ask($server, $page, self::REQUESTS, 1);
                $taken[$mode] = (self::cpu($server) - $start) / self::REQUESTS;
            }
            foreach ($taken as $mode => $milliseconds) {
                $cpu[$mode][] = $milliseconds;
                $ratios[$mode][] = $milliseconds / max(1e-9, $taken['off'] ?? 0.0);
            }
        }
        foreach ($servers as $mode => $server) {
            $metrics = ['cpu' => Stats::median($cpu[$mode] ?? []), 'cpu_ratio' => Stats::median($ratios[$mode] ?? [])];
            if ($mode !== 'off') {
                $after = self::scans($server);
                $each = static fn (string $key): float => ($after->number($key) - $before[$mode]->number($key)) / $turns / self::REQUESTS;
                $metrics += ['slots' => $after->number('slots'), 'scan' => $after->number('scanMedianNs') / 1000, 'scans' => $each('scans'), 'dirty' => $each('dirty')];
            }
            $this->add('weft', $page, ['routes' => $routes, 'isolation' => $mode, 'workers' => 1], Sample::measured($metrics));
        }
    }

    private static function scans(Server $server): Json
    {
        return Http::json($server->port, '/load/isolation');
    }

    /** Milliseconds that the worker has had a CPU. */
    private static function cpu(Server $server): float
    {
        $workers = $server->processes()->workers();

        return count($workers) === 1 ? ProcessTree::onCpu($workers[0]) / 1e6 : throw new Failure(count($workers) . ' workers where one should be');
    }
}
