<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Http;
use Weft\Bench\MemoryMap;
use Weft\Bench\ProcessTree;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Suite;

/** Memory at rest after 1,000 requests, by number of workers, and what it is made of. */
final class Memory extends Suite
{
    public const TITLE = 'Memory at rest';
    public const ABOUT = 'Memory of all processes of an arm after 1,000 requests, half of them /bench, when nothing is asked any more. Pages that are shared count once.';

    // Without OPcache a thousand requests of one worker take a minute.
    public const ARMS = ['weft', 'fpm', 'octane-swoole', 'octane-frankenphp'];
    public const WORKLOADS = ['at rest'];

    private const WORKERS = [1, 4, 16];
    private const WORKERS_QUICK = [4];
    private const REQUESTS = 500;
    private const CLIENTS = 32;
    private const REST_SECONDS = 1.5;

    public function round(int $number): void
    {
        foreach ($this->of(self::WORKERS, self::WORKERS_QUICK) as $workers) {
            foreach ($this->arms($number) as $arm) {
                $this->serve($arm, $workers, $this->bench->stage()->site(0.0), fn (Server $server) => $this->measure($arm, $workers, $server));
            }
        }
    }

    private function measure(string $arm, int $workers, Server $server): void
    {
        foreach (['/hello', '/bench?n=10'] as $path) {
            Http::body($server->port, $path);
            Http::ask($server, $path, self::REQUESTS, self::CLIENTS);
        }
        usleep((int) (self::REST_SECONDS * 1e6));
        $tree = $server->processes();
        $metrics = ['pss_idle' => $tree->pss(), 'descriptors' => (float) $tree->descriptors()] + MemoryMap::of($tree);
        if ($arm === 'weft') {
            // Connections do not spread evenly: some workers may have served nothing, so the greatest share counts.
            $metrics['private'] = max(0.0, ...array_map(static fn (int $pid): float => ProcessTree::memoryOf($pid)['Private'] / 1048576, $tree->workers()));
        }
        $this->add($arm, 'at rest', ['workers' => $workers], Sample::measured($metrics));
    }
}
