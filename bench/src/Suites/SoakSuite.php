<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Arms\Weft;
use Weft\Bench\Bench;
use Weft\Bench\Failure;
use Weft\Bench\Process;
use Weft\Bench\Server;
use Weft\Bench\Suite;
use Weft\Bench\Value;

/** Mixed load for minutes, with clients that hang up in the middle. */
final class SoakSuite implements Suite
{
    private const CLIENTS = 64;
    private const WORKERS = 2;
    private const HANG_UP_PERCENT = 20;
    private const SEED = 20261121;

    /** Memory and descriptors may differ by so much between the first minute's end and the end, at rest. */
    private const MEMORY_GROWTH = 0.05;
    private const DESCRIPTOR_GROWTH = 4;

    private const REST_SECONDS = 3.0;

    public function __construct(private readonly Bench $bench)
    {
    }

    public function name(): string
    {
        return 'soak';
    }

    public function title(): string
    {
        return 'Mixed load for long';
    }

    public function about(): string
    {
        return 'Minutes of mixed load from 64 clients, every fifth of whom hangs up in the middle; wrong or lost answers and growth fail it.';
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
        return ['mixed'];
    }

    public function rounds(): int
    {
        return 1;
    }

    public function prepare(): void
    {
    }

    public function finish(): void
    {
    }

    public function seconds(): float
    {
        return $this->bench->options->seconds + 15.0;
    }

    public function round(int $number): void
    {
        $runner = new Runner($this->bench, $this->name(), $this->bench->options->delay);
        $runner->with(new Weft(false), self::WORKERS, [], $this->soak(...));
    }

    private function soak(Server $arm): void
    {
        $seconds = $this->bench->options->seconds;
        // The first stretch fills caches and pools; what comes after must be flat.
        $warm = min(60.0, $seconds / 3);
        $before = $arm->processes()->pids();
        $first = $this->load($arm, $warm, self::SEED);
        usleep((int) (self::REST_SECONDS * 1e6));
        $start = $this->state($arm);
        $this->bench->console->say(sprintf('soak: after %.0f s, at rest: %s', $warm, self::describe($start)));
        $second = $this->load($arm, $seconds - $warm, self::SEED + 1);
        usleep((int) (self::REST_SECONDS * 1e6));
        $end = $this->state($arm);
        $this->bench->console->say('soak: at the end, at rest: ' . self::describe($end));

        $totals = [];
        foreach (['ok', 'wrong', 'lost', 'left_in_head', 'left_waiting', 'left_reading'] as $key) {
            $totals[$key] = Value::number($first, $key) + Value::number($second, $key);
        }
        $problems = $this->problems($totals, $start, $end, array_diff($before, $arm->processes()->pids()));

        $this->bench->result->check('soak', $problems === [], $problems === [] ? 'every client that stayed got a right answer' : implode('; ', $problems));
        $this->bench->result->add('soak', 'weft', 'mixed', ['workers' => self::WORKERS, 'concurrency' => self::CLIENTS, 'seconds' => $seconds], [
            'requests' => $totals['ok'],
            'hung_up' => $totals['left_in_head'] + $totals['left_waiting'] + $totals['left_reading'],
            'wrong' => $totals['wrong'], 'failed' => $totals['lost'], 'pss_idle' => $end['pss'], 'descriptors' => (float) $end['descriptors'],
        ]);
    }

    /**
     * @param array<string, float>                   $totals
     * @param array{pss: float, descriptors: int}    $start
     * @param array{pss: float, descriptors: int}    $end
     * @param array<int>                             $gone
     *
     * @return list<string>
     */
    private function problems(array $totals, array $start, array $end, array $gone): array
    {
        $problems = [];
        if ($gone !== []) {
            $problems[] = 'processes that ended or were replaced: ' . implode(' ', $gone);
        }
        if ($totals['wrong'] + $totals['lost'] > 0) {
            $problems[] = 'not every client that stayed got a right answer: ' . Value::excerpt((string) @file_get_contents($this->clientLog() . '.err'));
        }
        if ($totals['ok'] < 1) {
            $problems[] = 'no answer at all';
        }
        if ($end['pss'] > $start['pss'] * (1 + self::MEMORY_GROWTH)) {
            $problems[] = sprintf('memory grew by %.1f MiB', $end['pss'] - $start['pss']);
        }
        if ($end['descriptors'] > $start['descriptors'] + self::DESCRIPTOR_GROWTH) {
            $problems[] = sprintf('%d descriptors more', $end['descriptors'] - $start['descriptors']);
        }

        return $problems;
    }

    /** @return array<mixed> the client's totals */
    private function load(Server $arm, float $seconds, int $seed): array
    {
        $workspace = $this->bench->workspace;
        $client = Process::start('soak client', [$workspace->compiled('client'), (string) $arm->port(), (string) $seconds,
            (string) self::CLIENTS, (string) self::HANG_UP_PERCENT, "$workspace->root/bench/soak/requests.tsv", (string) $seed], $this->clientLog());
        $next = microtime(true) + 60;
        while ($client->isRunning()) {
            usleep(200_000);
            if (microtime(true) >= $next) {
                $next += 60;
                $this->bench->console->say('soak: ' . self::describe($this->state($arm)) . ' ' . $this->lastLine());
            }
        }
        $this->bench->console->say('soak: ' . $this->lastLine());
        if (!str_contains($this->lastLine(), '"p50_ms"')) {
            throw new Failure('the soak client did not finish: ' . Value::excerpt($client->output()));
        }

        return Value::decode($this->lastLine());
    }

    private function clientLog(): string
    {
        return $this->bench->workspace->log('soak-client');
    }

    private function lastLine(): string
    {
        $lines = explode("\n", trim((string) @file_get_contents($this->clientLog())));

        return end($lines);
    }

    /** @return array{pss: float, descriptors: int} */
    private function state(Server $arm): array
    {
        $tree = $arm->processes();

        return ['pss' => $tree->pss() / 1048576, 'descriptors' => $tree->descriptors()];
    }

    /** @param array{pss: float, descriptors: int} $state */
    private static function describe(array $state): string
    {
        return sprintf('%.1f MiB of PSS, %d descriptors', $state['pss'], $state['descriptors']);
    }
}
