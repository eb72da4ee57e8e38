<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Arm;
use Weft\Bench\Arms\WeftServer;
use Weft\Bench\Bench;
use Weft\Bench\Failure;
use Weft\Bench\Http;
use Weft\Bench\ProcessTree;
use Weft\Bench\Server;
use Weft\Bench\Suite;
use Weft\Bench\Value;
use Weft\Bench\Workspace;

/** Memory at rest after 1,000 requests, by number of workers. */
final class MemorySuite implements Suite
{
    private const WORKERS = [1, 4, 16];
    private const WORKERS_QUICK = [4];
    private const REQUESTS = 1000;
    private const CLIENTS = 32;
    private const PATHS = ['/hello', '/bench?n=10'];
    private const REST_SECONDS = 1.5;
    private const SECONDS_EACH = 8.0;

    public function __construct(private readonly Bench $bench)
    {
    }

    public function name(): string
    {
        return 'memory';
    }

    public function title(): string
    {
        return 'Memory at rest';
    }

    public function about(): string
    {
        return 'Memory of all processes of an arm after 1,000 requests, half of them /bench, when nothing is asked any more.';
    }

    public function baseline(): string
    {
        return 'fpm';
    }

    public function arms(): array
    {
        // Without OPcache a thousand requests of one worker take a minute.
        return array_values(array_diff(Routes::LARAVEL_ARMS, ['fpm-no-opcache']));
    }

    public function workloads(): array
    {
        return ['at rest'];
    }

    public function rounds(): int
    {
        return 1;
    }

    public function seconds(): float
    {
        return count($this->bench->arms($this->arms(), 1)) * count($this->workers()) * self::SECONDS_EACH;
    }

    public function prepare(): void
    {
    }

    public function round(int $number): void
    {
        foreach ($this->workers() as $workers) {
            foreach ($this->bench->arms($this->arms(), $number) as $arm) {
                $this->bench->console->say("memory: {$arm->title()}, $workers worker" . ($workers > 1 ? 's' : ''));
                $runner = new Runner($this->bench, $this->name(), 0.0);
                $runner->with($arm, $workers, [], fn (Server $server) => $this->measure($arm, $workers, $server));
            }
        }
    }

    public function finish(): void
    {
    }

    private function measure(Arm $arm, int $workers, Server $server): void
    {
        $this->requests($server);
        usleep((int) (self::REST_SECONDS * 1e6));
        $tree = $server->processes();
        $memory = $tree->memoryOfAll();
        $metrics = ['pss_idle' => $memory['Pss'] / 1048576, 'rss_idle' => $memory['Rss'] / 1048576, 'descriptors' => (float) $tree->descriptors()];
        if ($server instanceof WeftServer) {
            $own = array_map(static fn (int $pid): float => ProcessTree::memory($pid)['Private'] / 1048576, $server->workers());
            // Connections do not spread evenly: some workers may have served nothing, so the greatest share counts.
            $metrics['private'] = $own === [] ? 0.0 : max($own);
        }
        $this->bench->result->add('memory', $arm->name(), 'at rest', ['workers' => $workers], $metrics);
    }

    private function requests(Server $server): void
    {
        $h2load = Workspace::tool('h2load', 'nghttp2-client');
        $each = intdiv(self::REQUESTS, count(self::PATHS));
        foreach (self::PATHS as $path) {
            Http::body($server->port(), $path);
            [, $output] = Workspace::capture([$h2load, '--h1', "-n$each", '-c' . self::CLIENTS, "http://127.0.0.1:{$server->port()}$path"]);
            if (!str_contains($output, "$each 2xx")) {
                throw new Failure("$path: " . (preg_match('/^(requests|status codes): .*$/m', $output, $match) === 1 ? $match[0] : Value::excerpt($output)));
            }
        }
    }

    /** @return list<int> */
    private function workers(): array
    {
        return $this->bench->options->quick() ? self::WORKERS_QUICK : self::WORKERS;
    }
}
