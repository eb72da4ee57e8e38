<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Arms\WeftServer;
use Weft\Bench\Bench;
use Weft\Bench\Failure;
use Weft\Bench\Http;
use Weft\Bench\Interrupted;
use Weft\Bench\Missing;
use Weft\Bench\ProcessTree;
use Weft\Bench\Suite;
use Weft\Bench\Trend;
use Weft\Bench\Value;
use Weft\Bench\Workspace;

/**
 * A route that collects 1 KB in a static, a listener, a macro and a log handler at each request: the memory of one
 * worker over very many requests, with isolation on and off.
 */
final class GrowthSuite implements Suite
{
    private const CLIENTS = 8;
    private const SAMPLES = 100;

    /** The first part of the samples is warm-up: pools and caches fill. */
    private const WARM_UP = 0.2;

    /** Without isolation it grows without end: stopped when it has taken so much, or so long. */
    private const STOP_BYTES = 1 << 30;
    private const STOP_SECONDS = 120.0;

    /** Requests between two samples without isolation; growth is plain to see. */
    private const STEP_OFF = 5000;

    private ?Interrupted $interrupted = null;

    public function __construct(private readonly Bench $bench)
    {
    }

    public function name(): string
    {
        return 'growth';
    }

    public function title(): string
    {
        return 'A route that collects without end';
    }

    public function about(): string
    {
        return 'Memory of one worker over very many requests, each of which adds 1 KB to a static, a listener, a macro and a log handler.';
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
        return ['plain callable', 'Laravel'];
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
        // some 250 requests a second through Laravel, 5,000 through a plain callable
        return $this->bench->options->requests * (1 / 250 + 1 / 5000) + 2 * self::STOP_SECONDS;
    }

    public function round(int $number): void
    {
        $stage = $this->bench->stage();
        $plain = "{$this->bench->workspace->root}/bench/serve/growth.php";
        foreach (['plain callable' => [$plain, '/'], 'Laravel' => [$stage->application, '/debug/growth']] as $name => [$application, $path]) {
            foreach (['on', 'off'] as $isolation) {
                if ($this->bench->options->wants($name)) {
                    $this->measure($name, $application, $path, $isolation, $stage->env(0.0));
                }
            }
        }
    }

    /** @param array<string, string> $env */
    private function measure(string $name, string $application, string $path, string $isolation, array $env): void
    {
        $options = ["--isolation=$isolation", ...($isolation === 'off' ? ['-d', 'memory_limit=-1'] : []), ...$this->bench->options->weftOptions];
        $arm = null;
        try {
            $arm = WeftServer::start($this->bench->workspace, $application, 1, $options, $env);
            $isolation === 'on' ? $this->flat($name, $arm, $path) : $this->growing($name, $arm, $path);
            if ($this->interrupted !== null) {
                throw $this->interrupted;
            }
        } catch (Failure | Missing $e) {
            $this->bench->result->hole('growth', 'weft', "$name, isolation $isolation", $e->getMessage(), $arm?->output() ?? '');
        } finally {
            $arm?->stop();
        }
    }

    private function flat(string $name, WeftServer $arm, string $path): void
    {
        $requests = $this->bench->options->requests;
        $samples = $this->samples($name, $arm, $path, intdiv($requests, self::SAMPLES), static fn (array $last): bool => $last['requests'] >= $requests);
        $trends = self::trends(array_slice($samples, (int) (count($samples) * self::WARM_UP)) ?: $samples);
        $problems = [];
        foreach ($trends as $key => $trend) {
            // a worker's PSS changes with how many others on the machine map the same libraries
            if ($key !== 'pss' && !$trend->isFlat()) {
                $problems[] = sprintf('%s grows by %.2f bytes a request', $key, $trend->slope);
            }
        }
        $leaks = array_filter($samples, static fn (array $sample): bool => $sample['collected'] !== 1.0) !== [];
        $this->bench->result->check("growth, $name", !$leaks, $leaks ? 'a request saw what others had collected' : 'no request saw what others had collected');
        $this->row($name, 'on', $samples, $trends, $problems);
    }

    private function growing(string $name, WeftServer $arm, string $path): void
    {
        $most = $this->bench->options->requests;
        $end = microtime(true) + self::STOP_SECONDS;
        $start = (float) ProcessTree::memory($arm->workers()[0] ?? 0)['Private'];
        $enough = static fn (array $last): bool => $last['requests'] >= $most || Value::number($last, 'private') - $start >= self::STOP_BYTES || microtime(true) >= $end;
        $samples = $this->samples($name, $arm, $path, min(self::STEP_OFF, intdiv($most, 5)), $enough);
        $trends = self::trends($samples);
        $reason = sprintf('stopped after %.0f requests; a million would take %.1f GiB', end($samples)['requests'], $trends['private']->slope * 1e6 / (1 << 30));

        $this->row($name, 'off', $samples, $trends, [$reason]);
    }

    /**
     * @param non-empty-list<array<string, float>> $samples
     *
     * @return array<string, Trend>
     */
    private static function trends(array $samples): array
    {
        $trends = [];
        foreach (['heap', 'private', 'pss'] as $key) {
            $trends[$key] = Trend::of(array_map(static fn (array $sample): array => [$sample['requests'], $sample[$key]], $samples));
        }

        return $trends;
    }

    /**
     * @param non-empty-list<array<string, float>> $samples
     * @param array<string, Trend>                 $trends
     * @param list<string>                         $marks
     */
    private function row(string $name, string $isolation, array $samples, array $trends, array $marks): void
    {
        $first = $samples[0];
        $last = $samples[count($samples) - 1];
        $marks[] = sprintf('private memory %.1f → %.1f MiB', $first['private'] / 1048576, $last['private'] / 1048576);
        foreach (['heap' => 'PHP\'s heap', 'private' => 'private memory'] as $key => $label) {
            $marks[] = sprintf('%s: %.2f ± %.2f bytes a request', $label, $trends[$key]->slope, $trends[$key]->margin);
        }
        $this->bench->result->add('growth', 'weft', $name, ['workers' => 1, 'isolation' => $isolation, 'concurrency' => self::CLIENTS], [
            'requests' => $last['requests'],
            'throughput' => ($last['requests'] - $first['requests']) / max(0.001, $last['time'] - $first['time']),
            'growth_heap' => $trends['heap']->slope, 'growth_private' => $trends['private']->slope,
            'private' => $last['private'] / 1048576, 'heap' => $last['heap'] / 1048576, 'descriptors' => $last['descriptors'],
        ], null, $marks);
    }

    /**
     * @param \Closure(array<string, float>): bool $enough told the latest sample
     *
     * @return non-empty-list<array<string, float>>
     */
    private function samples(string $name, WeftServer $arm, string $path, int $step, \Closure $enough): array
    {
        // the worker and its pools come into being
        $this->load($arm, $path, 200);
        $done = 200;
        $samples = [];
        $next = 0.0;
        do {
            try {
                $this->load($arm, $path, $step);
                $last = $this->sample($arm, $path, $done + $step);
            } catch (Interrupted $interrupted) {
                // an hour's samples are worth a row
                $this->interrupted = $interrupted;
                return $samples !== [] ? $samples : throw $interrupted;
            }
            $done += $step;
            $samples[] = $last;
            if (microtime(true) >= $next) {
                $next = microtime(true) + 30;
                $this->bench->console->say(sprintf('growth: %s: %d requests, heap %.2f MiB, private %.2f MiB', $name, $done, $last['heap'] / 1048576, $last['private'] / 1048576));
            }
        } while (!$enough($last));

        return $samples;
    }

    private function load(WeftServer $arm, string $path, int $requests): void
    {
        $h2load = Workspace::tool('h2load', 'nghttp2-client');
        [, $output] = Workspace::capture([$h2load, '--h1', "-n$requests", '-c' . self::CLIENTS, "http://127.0.0.1:{$arm->port()}$path"]);
        if (!str_contains($output, "$requests 2xx")) {
            throw new Failure("$path: " . (preg_match('/^(requests|status codes): .*$/m', $output, $match) === 1 ? $match[0] : Value::excerpt($output)) . Value::excerpt($arm->output()));
        }
    }

    /** @return array<string, float> */
    private function sample(WeftServer $arm, string $path, int $requests): array
    {
        $workers = $arm->workers();
        if (count($workers) !== 1) {
            throw new Failure(count($workers) . ' workers where one should be');
        }
        $memory = ProcessTree::memory($workers[0]);
        $answer = Value::decode(Http::body($arm->port(), $path));

        return [
            'requests' => (float) $requests,
            'time' => microtime(true),
            'collected' => Value::number($answer, 'collected'),
            'heap' => Value::number($answer, 'memory'),
            'reserved' => Value::number($answer, 'reserved'),
            'rss' => (float) $memory['Rss'],
            'pss' => (float) $memory['Pss'],
            'private' => (float) $memory['Private'],
            'descriptors' => (float) ProcessTree::of($workers[0])->descriptors(),
        ];
    }
}
