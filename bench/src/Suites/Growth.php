<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Failure;
use Weft\Bench\Http;
use Weft\Bench\ProcessTree;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Site;
use Weft\Bench\Suite;
use Weft\Bench\Trend;

/**
 * A route that collects 1 KB in a static, a listener, a macro and a log handler at each request: the memory of one
 * worker over very many requests, with isolation on and off.
 */
final class Growth extends Suite
{
    public const TITLE = 'A route that collects without end';
    public const ABOUT = 'Memory of one worker over very many requests, each of which adds 1 KB to a static, a listener, a macro and a log handler.';
    public const BASELINE = 'weft';
    public const WORKLOADS = ['plain callable', 'Laravel'];

    private const CLIENTS = 8;
    private const SAMPLES = 100;

    /** The first part of the samples is warm-up: pools and caches fill. */
    private const WARM_UP = 0.2;
    private const FIRST = 200;

    /** Without isolation it grows without end: stopped when it has taken so much, or so long. */
    private const STOP_BYTES = 1 << 30;
    private const STOP_SECONDS = 120.0;

    /** Requests between two samples without isolation; growth is plain to see. */
    private const STEP_OFF = 5000;

    public function round(int $number): void
    {
        foreach ($this->arms(1) as $arm) {
            $laravel = $this->bench->stage()->site(0.0);
            $sites = ['plain callable' => [new Site("{$this->bench->workspace->root}/bench/serve/growth.php", $laravel->env), '/'], 'Laravel' => [$laravel, '/debug/growth']];
            foreach (array_filter($sites, $this->bench->options->wants(...), ARRAY_FILTER_USE_KEY) as $name => [$site, $path]) {
                $this->serve($arm, 1, $site, fn (Server $server) => $this->flat($name, $server, $path), ['--isolation=on']);
                $this->serve($arm, 1, $site, fn (Server $server) => $this->growing($name, $server, $path), ['--isolation=off', '-d', 'memory_limit=-1']);
            }
        }
    }

    private function flat(string $name, Server $server, string $path): void
    {
        $requests = (int) $this->bench->options->get('requests');
        $samples = $this->samples($name, $server, $path, intdiv($requests, self::SAMPLES), static fn (array $last, float $grown): bool => $last['requests'] >= $requests);
        $trends = self::trends(array_slice($samples, (int) (count($samples) * self::WARM_UP)) ?: $samples);
        $leaks = array_filter($samples, static fn (array $sample): bool => $sample['collected'] > 1.0) !== [];
        $this->bench->run->check("growth, $name", !$leaks, $leaks ? 'a request saw what others had collected' : 'no request saw what others had collected');
        $this->row($name, 'on', $samples, $trends);
    }

    private function growing(string $name, Server $server, string $path): void
    {
        $most = (int) $this->bench->options->get('requests');
        $end = microtime(true) + self::STOP_SECONDS;
        $enough = static fn (array $last, float $grown): bool => $last['requests'] >= $most || $grown >= self::STOP_BYTES || microtime(true) >= $end;
        $samples = $this->samples($name, $server, $path, min(self::STEP_OFF, intdiv($most, 5)), $enough);
        $trends = self::trends($samples);
        $this->row($name, 'off', $samples, $trends, sprintf('a million requests would take %.1f GiB', $trends['private']->slope * 1e6 / (1 << 30)));
    }

    /**
     * @param non-empty-list<array<string, float>> $samples
     *
     * @return array{heap: Trend, private: Trend}
     */
    private static function trends(array $samples): array
    {
        $of = static fn (string $key): Trend => Trend::of(array_map(static fn (array $sample): array => [$sample['requests'] ?? 0.0, $sample[$key] ?? 0.0], $samples));

        return ['heap' => $of('heap'), 'private' => $of('private')];
    }

    /**
     * @param non-empty-list<array<string, float>> $samples
     * @param array{heap: Trend, private: Trend}   $trends
     */
    private function row(string $name, string $isolation, array $samples, array $trends, string ...$marks): void
    {
        $first = $samples[0];
        $last = $samples[count($samples) - 1];
        $marks[] = sprintf('private memory %.1f → %.1f MiB', $first['private'] / 1048576, $last['private'] / 1048576);
        foreach ($trends as $key => $trend) {
            $marks[] = sprintf('%s: %.2f ± %.2f bytes a request, %s', $key, $trend->slope, $trend->margin, $trend->isFlat() ? 'flat' : 'growing');
        }
        $this->add('weft', $name, ['workers' => 1, 'isolation' => $isolation, 'concurrency' => self::CLIENTS], Sample::measured([
            'requests' => $last['requests'],
            'throughput' => ($last['requests'] - $first['requests']) / max(0.001, $last['time'] - $first['time']),
            'growth_heap' => $trends['heap']->slope, 'growth_private' => $trends['private']->slope,
            'private' => $last['private'] / 1048576, 'heap' => $last['heap'] / 1048576, 'descriptors' => $last['descriptors'],
        ])->with([], array_values($marks)));
    }

    /**
     * @param \Closure(array<string, float>, float): bool $enough told the latest sample, and by how much private memory has grown
     *
     * @return non-empty-list<array<string, float>>
     */
    private function samples(string $name, Server $server, string $path, int $step, \Closure $enough): array
    {
        // the worker and its pools come into being
        Http::ask($server, $path, self::FIRST, self::CLIENTS);
        $done = self::FIRST;
        $samples = [];
        $next = 0.0;
        do {
            Http::ask($server, $path, $step, self::CLIENTS);
            $done += $step;
            $samples[] = $last = $this->sample($server, $path, $done);
            if (microtime(true) >= $next) {
                $next = microtime(true) + 30;
                $this->bench->say(sprintf('growth: %s: %d requests, heap %.2f MiB, private %.2f MiB', $name, $done, $last['heap'] / 1048576, $last['private'] / 1048576));
            }
        } while (!$enough($last, $last['private'] - $samples[0]['private']));

        return $samples;
    }

    /** @return array{requests: float, time: float, collected: float, heap: float, private: float, descriptors: float} */
    private function sample(Server $server, string $path, int $requests): array
    {
        $workers = $server->processes()->workers();
        if (count($workers) !== 1) {
            throw new Failure(count($workers) . ' workers where one should be');
        }
        $answer = Http::json($server->port, $path);

        return [
            'requests' => (float) $requests, 'time' => microtime(true), 'collected' => $answer->number('collected'), 'heap' => $answer->number('memory'),
            'private' => (float) ProcessTree::memoryOf($workers[0])['Private'], 'descriptors' => (float) ProcessTree::of($workers[0])->descriptors(),
        ];
    }
}
