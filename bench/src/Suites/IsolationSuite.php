<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Arms\WeftServer;
use Weft\Bench\Bench;
use Weft\Bench\Failure;
use Weft\Bench\Http;
use Weft\Bench\Missing;
use Weft\Bench\ProcessTree;
use Weft\Bench\Stats;
use Weft\Bench\Suite;
use Weft\Bench\Value;
use Weft\Bench\Workspace;

/**
 * What isolation costs when requests come one after the other: CPU time of the worker with a warm base, with a cold
 * one, and without isolation. The three servers are up at the same time and take turns, many times a round, so that
 * whatever else the machine does hits all of them.
 */
final class IsolationSuite implements Suite
{
    private const MODES = ['off' => ['--isolation=off'], 'warm' => [], 'cold' => ['--warm=off']];
    private const PAGES = ['/hello', '/', '/test'];

    /** Routes that nobody asks for, beside the application's own: with those Laravel keeps an object for each. */
    private const EXTRA_ROUTES = [0, 280, 980];
    private const EXTRA_ROUTES_QUICK = [0, 980];

    private const TURNS = 15;
    private const TURNS_QUICK = 4;
    private const REQUESTS = 100;

    /** These fill pools and caches. */
    private const FIRST = 100;

    public function __construct(private readonly Bench $bench)
    {
    }

    public function name(): string
    {
        return 'isolation';
    }

    public function title(): string
    {
        return 'What isolation costs';
    }

    public function about(): string
    {
        return 'CPU time of one worker for requests that come one after the other, with and without isolation, for applications of different size.';
    }

    public function baseline(): string
    {
        return 'weft';
    }

    public function arms(): array
    {
        return ['weft'];
    }

    public function workloads(): array
    {
        return self::PAGES;
    }

    public function rounds(): int
    {
        return $this->bench->options->rounds;
    }

    public function seconds(): float
    {
        return count($this->sizes()) * (8.0 + 0.004 * count(self::MODES) * count(self::PAGES) * $this->turns() * self::REQUESTS);
    }

    public function prepare(): void
    {
    }

    public function finish(): void
    {
    }

    public function round(int $number): void
    {
        foreach ($this->sizes() as [$cached, $routes]) {
            $servers = [];
            try {
                $stage = $this->bench->stage();
                $environment = ['WEFT_BENCH_ROUTES' => (string) $routes] + $stage->env(0.0);
                if (!$cached) {
                    foreach (['APP_CONFIG_CACHE', 'APP_ROUTES_CACHE'] as $file) {
                        $environment[$file] = "{$this->bench->workspace->run}/no-such-cache.php";
                    }
                }
                foreach (self::MODES as $mode => $options) {
                    $servers[$mode] = WeftServer::start($this->bench->workspace, $stage->application, 1, [...$options, '-d', 'weft.http_access_log=0', ...$this->bench->options->weftOptions], $environment);
                }
                if (str_contains($servers['warm']->output(), 'Cold: ')) {
                    throw new Failure('The base stayed cold: ' . Value::excerpt($servers['warm']->output()));
                }
                foreach (self::PAGES as $page) {
                    if ($this->bench->options->wants($page)) {
                        $this->measure($page, $cached, $routes, $servers);
                    }
                }
            } catch (Failure | Missing $e) {
                $this->bench->result->hole($this->name(), 'weft', ($cached ? 'cached' : 'plain') . ", $routes extra routes", $e->getMessage());
            } finally {
                foreach ($servers as $server) {
                    $server->stop();
                }
            }
        }
    }

    /** @param array<string, WeftServer> $servers */
    private function measure(string $page, bool $cached, int $routes, array $servers): void
    {
        foreach ($servers as $server) {
            $this->load($server, $page, self::FIRST);
        }
        $before = array_map(self::scans(...), $servers);
        $cpu = $ratios = array_fill_keys(array_keys($servers), []);
        for ($turn = 0; $turn < $this->turns(); $turn++) {
            $taken = [];
            foreach ($turn % 2 === 0 ? $servers : array_reverse($servers, true) as $mode => $server) {
                $start = self::cpu($server);
                $this->load($server, $page, self::REQUESTS);
                $taken[$mode] = (self::cpu($server) - $start) / self::REQUESTS;
            }
            foreach ($taken as $mode => $milliseconds) {
                $cpu[$mode][] = $milliseconds;
                $ratios[$mode][] = $milliseconds / $taken['off'];
            }
        }
        foreach ($servers as $mode => $server) {
            $parameters = ['routes' => $routes + 20, 'laravel_cache' => $cached, 'isolation' => $mode, 'workers' => 1];
            $requests = $this->turns() * self::REQUESTS;
            $metrics = ['cpu' => Stats::median($cpu[$mode]), 'cpu_ratio' => Stats::median($ratios[$mode])] + ($mode === 'off' ? [] : self::scanned($before[$mode], self::scans($server), $requests));
            $this->bench->result->add($this->name(), 'weft', $page, $parameters, $metrics);
        }
    }

    /**
     * @param array<mixed> $before
     * @param array<mixed> $after
     *
     * @return array<string, float>
     */
    private static function scanned(array $before, array $after, int $requests): array
    {
        $grown = static fn (string $key): float => Value::number($after, $key) - Value::number($before, $key);

        return [
            'slots' => Value::number($after, 'slots'),
            'scan' => Value::number($after, 'scanMedianNs') / 1000,
            'scans' => $grown('scans') / $requests,
            'dirty' => $grown('dirty') / $requests,
        ];
    }

    /** @return array<mixed> */
    private static function scans(WeftServer $server): array
    {
        return Value::decode(Http::body($server->port(), '/load/isolation'));
    }

    private function load(WeftServer $server, string $page, int $requests): void
    {
        $h2load = Workspace::tool('h2load', 'nghttp2-client');
        [, $output] = Workspace::capture([$h2load, '--h1', "-n$requests", '-c1', "http://127.0.0.1:{$server->port()}$page"]);
        if (!str_contains($output, "$requests 2xx")) {
            throw new Failure("$page: " . Value::excerpt($output) . Value::excerpt($server->output()));
        }
    }

    /** Milliseconds that the worker has had a CPU. */
    private static function cpu(WeftServer $server): float
    {
        $workers = $server->workers();
        if (count($workers) !== 1) {
            throw new Failure(count($workers) . ' workers where one should be');
        }

        return ProcessTree::onCpu($workers[0]) / 1e6;
    }

    private function turns(): int
    {
        return $this->bench->options->quick() ? self::TURNS_QUICK : self::TURNS;
    }

    /** @return list<array{bool, int}> whether configuration and routes are cached, and how many extra routes there are */
    private function sizes(): array
    {
        $plain = array_map(static fn (int $routes): array => [false, $routes], $this->bench->options->quick() ? self::EXTRA_ROUTES_QUICK : self::EXTRA_ROUTES);

        return $this->bench->options->configCached ? [[true, 0], ...$plain] : $plain;
    }
}
