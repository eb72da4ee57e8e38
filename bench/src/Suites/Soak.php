<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Failure;
use Weft\Bench\Json;
use Weft\Bench\Program;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Suite;

/** Mixed load for minutes, with clients that hang up in the middle. */
final class Soak extends Suite
{
    public const TITLE = 'Mixed load for long';
    public const ABOUT = 'Minutes of mixed load from 64 clients, every fifth of whom hangs up in the middle; wrong or lost answers and growth fail it.';
    public const BASELINE = 'weft';
    public const WORKLOADS = ['mixed'];

    private const CLIENTS = 64;
    private const WORKERS = 2;
    private const HANG_UP_PERCENT = 20;

    /** Memory and descriptors may differ by so much between the first minute's end and the end, at rest. */
    private const MEMORY_GROWTH = 0.05;
    private const DESCRIPTOR_GROWTH = 4;

    private const REST_SECONDS = 3;

    public function round(int $number): void
    {
        foreach ($this->arms(1) as $arm) {
            $this->serve($arm, self::WORKERS, $this->bench->stage()->site($this->bench->options->get('delay')), $this->soak(...));
        }
    }

    private function soak(Server $server): void
    {
        $seconds = $this->bench->options->get('seconds');
        // The first stretch fills caches and pools; what comes after must be flat.
        $warm = min(60.0, $seconds / 3);
        $processes = $server->processes()->pids();
        [$one, $startPss, $startDescriptors] = $this->load($server, $warm);
        [$two, $pss, $descriptors] = $this->load($server, $seconds - $warm);
        $sum = static fn (string ...$keys): float => array_sum(array_map(static fn (string $key): float => $one->number($key) + $two->number($key), $keys));
        $gone = array_diff($processes, $server->processes()->pids());
        $problems = array_filter([
            $gone === [] ? '' : 'processes that ended or were replaced: ' . implode(' ', $gone),
            $sum('wrong', 'failed') === 0.0 ? '' : 'not every client that stayed got a right answer: ' . Json::excerpt(
                (string) @file_get_contents($this->bench->workspace->log('soak') . '.err'),
            ),
            $sum('answered') > 0.0 ? '' : 'no answer at all',
            $pss <= $startPss * (1 + self::MEMORY_GROWTH) ? '' : sprintf('memory grew by %.1f MiB', $pss - $startPss),
            $descriptors <= $startDescriptors + self::DESCRIPTOR_GROWTH ? '' : sprintf('%d descriptors more', $descriptors - $startDescriptors),
        ]);
        $this->bench->run->check('soak', $problems === [], $problems === [] ? 'every client that stayed got a right answer' : implode('; ', $problems));
        $this->add('weft', 'mixed', ['workers' => self::WORKERS, 'concurrency' => self::CLIENTS, 'seconds' => $seconds], Sample::measured([
            'requests' => $sum('answered'), 'hung_up' => $sum('hung_up'), 'wrong' => $sum('wrong'), 'failed' => $sum('failed'),
            'pss_idle' => $pss, 'descriptors' => (float) $descriptors,
        ]));
    }

    /** @return array{Json, float, int} the clients' totals, and memory and descriptors at rest after them */
    private function load(Server $server, float $seconds): array
    {
        $workspace = $this->bench->workspace;
        $clients = Program::start('the soak clients', [$workspace->compiled('load'), (string) $server->port, (string) $seconds,
            (string) self::CLIENTS, '0', "$workspace->root/bench/soak/requests.tsv", '0', (string) self::HANG_UP_PERCENT], $workspace->log('soak'));
        while ($clients->wait(60.0) === null) {
            $this->tell($server);
        }
        if (!str_contains($clients->lastLine(), '"p50_ms"')) {
            throw new Failure('the soak clients did not finish: ' . Json::excerpt($clients->output()));
        }
        sleep(self::REST_SECONDS);

        return [Json::decode($clients->lastLine()), ...$this->tell($server)];
    }

    /** @return array{float, int} MiB of PSS, and descriptors */
    private function tell(Server $server): array
    {
        $tree = $server->processes();
        $this->bench->say(sprintf('soak: %.1f MiB of PSS, %d descriptors', $tree->pss(), $tree->descriptors()));

        return [$tree->pss(), $tree->descriptors()];
    }
}
