<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Arms;
use Weft\Bench\Http;
use Weft\Bench\Page;
use Weft\Bench\Server;
use Weft\Bench\Suite;

/** Laravel and the database: each arm at peak, by number of workers. */
final class Database extends Suite
{
    public const TITLE = 'Laravel and the database';
    public const ABOUT = 'The example application at peak, by number of workers: as many connections as given, each of which sends its next request when it has its answer.';
    public const ARMS = Arms::LARAVEL;
    public const WORKLOADS = ['/hello', '/test', '/bench', '/bench?n=5', self::POOLED];

    private const ASKED = 300;

    /** Measured with one number of workers only: to show what OPcache does. */
    private const ONCE = 'fpm-no-opcache';

    /** /bench of one worker: as PDO would do it by itself, with the pool, and with statements that it keeps as well. */
    private const POOLED = '/bench by what the pool keeps';
    private const POOLS = [
        'nothing' => ['-d', 'weft.pdo_pool_max=0', '-d', 'weft.pdo_statement_cache=0'],
        'connections' => ['-d', 'weft.pdo_statement_cache=0'],
        'connections and statements' => [],
    ];

    /** /bench at equal workers, against the baseline. */
    private const TARGET = 5.4;

    public function rounds(): int
    {
        return (int) $this->bench->options->get('rounds');
    }

    public function round(int $number): void
    {
        $options = $this->bench->options;
        $pages = array_filter(Page::laravel(), $options->wants(...), ARRAY_FILTER_USE_KEY);
        foreach ($pages === [] ? [] : $options->workers as $workers) {
            foreach ($this->arms($number) as $arm) {
                if ($arm !== self::ONCE || ($workers === $options->workers[0] && !$options->quick)) {
                    $this->serve(
                        $arm,
                        $workers,
                        $this->bench->stage()->site($options->get('delay')),
                        fn (Server $server) => $this->measure($arm, $workers, $server, $pages),
                        [self::WARM],
                    );
                }
            }
        }
        foreach ($options->wants(self::POOLED) && $options->get('delay') > 0.0 ? $this->arms(1, ['weft']) : [] as $arm) {
            foreach (self::POOLS as $kept => $directives) {
                $site = $this->bench->stage()->site($options->get('delay'));
                $this->serve($arm, 1, $site, fn (Server $server) => $this->pooled($arm, $kept, $server), [self::WARM, ...$directives]);
            }
        }
    }

    /** Round trips and connections are counted by the proxy. */
    private function pooled(string $arm, string $kept, Server $server): void
    {
        $page = Page::laravel()['/bench'];
        $connections = (int) $this->bench->options->get('connections');
        $this->closed($server, $page, $connections);
        $proxy = $this->bench->stage()->proxy($this->bench->options->get('delay'));
        $before = $proxy->counts();
        Http::ask($server, $page->path, self::ASKED, $connections);
        $after = $proxy->counts();
        $this->add($arm, self::POOLED, ['workers' => 1, 'kept' => $kept], $this->closed($server, $page, $connections)->with([
            'round_trips' => ($after['roundTrips'] - $before['roundTrips']) / self::ASKED,
            'connects' => ($after['connections'] - $before['connections']) / self::ASKED,
        ]));
    }

    /** @param array<string, Page> $pages */
    private function measure(string $arm, int $workers, Server $server, array $pages): void
    {
        $connections = (int) $this->bench->options->get('connections');
        foreach ($pages as $name => $page) {
            $this->attempt($arm, $name, function () use ($arm, $workers, $server, $name, $page, $connections): void {
                $this->compareBodies($arm, $server, $page->path);
                $parameters = ['load' => 'closed', 'workers' => $workers, 'queries' => $page->queries, 'concurrency' => $connections];
                $row = $this->add($arm, $name, $parameters, $this->closed($server, $page, $connections));
                if ($arm === 'weft' && $name === '/bench') {
                    $row->target('throughput', 'ratio', self::TARGET);
                }
            });
        }
    }
}
