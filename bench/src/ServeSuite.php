<?php

declare(strict_types=1);

namespace Weft\Bench;

/** The example application behind Weft and behind PHP-FPM, in interleaved rounds. */
final class ServeSuite implements Suite
{
    /** What is asked for, and what a right answer contains. */
    private const ROUTES = ['/hello' => '"message":"Hello"', '/test' => '"ok":true', '/bench?n=10' => '"latest_views":'];
    private const START_SECONDS = 2.5;

    /** Weft must serve so many times what PHP-FPM serves, one worker each, when requests wait for the database. */
    private const TEST_TARGET = 8.0;

    private const SLEEPERS = 400;
    private const SLEEPERS_AT_ONCE = 200;
    /** Two waves of one second, and a little for 400 requests' own work. */
    private const SLEEP_TARGET = 3.0;

    /** @var array<string, list<Sample>> by row */
    private array $samples = [];

    /** @var array<string, \Throwable> by row */
    private array $failures = [];

    /** @var array<string, string> the first arm's body by path */
    private array $bodies = [];

    public function __construct(private readonly Bench $bench)
    {
    }

    public function seconds(): float
    {
        $o = $this->bench->options;

        return 8.0 + $o->rounds * count($o->workers) * 2 * (self::START_SECONDS + count($this->routes()) * $this->perRoute()) + 6.0;
    }

    public function run(): void
    {
        $o = $this->bench->options;
        $announced = $this->seconds();
        try {
            $this->bench->report->note(DelayProxy::overhead($this->bench->workspace, $o->delay));
            $stage = Stage::build($this->bench, $o->delay);
        } catch (Failure | Missing $e) {
            $this->bench->report->add(Row::without('serve', 'Serving', 'all rows', $e));
            $this->bench->console->advance($announced);

            return;
        }
        try {
            $this->bench->console->advance(8.0);
            for ($round = 1; $round <= $o->rounds; $round++) {
                foreach ($o->workers as $workers) {
                    // Who goes first changes, so that neither arm always meets the colder machine.
                    $arms = $round % 2 === 1 ? ['Weft', 'PHP-FPM'] : ['PHP-FPM', 'Weft'];
                    foreach ($arms as $arm) {
                        $this->bench->console->say("serve: round $round of $o->rounds, $arm, $workers worker" . ($workers > 1 ? 's' : ''));
                        $this->measure($stage, $arm, $workers);
                    }
                }
            }
            $this->tabulate();
            $this->sleepers($stage);
            $this->bench->console->advance(6.0);
        } finally {
            $stage->stop();
        }
    }

    private function measure(Stage $stage, string $name, int $workers): void
    {
        $o = $this->bench->options;
        $arm = null;
        try {
            $arm = $this->start($stage, $name, $workers);
            $this->bench->console->advance(self::START_SECONDS);
            foreach ($this->routes() as $route) {
                try {
                    $this->compareBodies($arm, $route);
                    $warmUp = min(1.0, $o->duration / 4);
                    $sample = Sample::take($this->bench->workspace, $arm, $route, self::ROUTES[$route], $o->connections, $o->duration, $warmUp);
                    $this->samples[self::key($route, $name, $workers)][] = $sample;
                } catch (Failure $e) {
                    $this->failures[self::key($route, $name, $workers)] = $e;
                }
                $this->bench->console->advance($this->perRoute());
            }
        } catch (Failure | Missing $e) {
            foreach ($this->routes() as $route) {
                $this->failures[self::key($route, $name, $workers)] = $e;
            }
            $this->bench->console->advance(count($this->routes()) * $this->perRoute());
        } finally {
            $complaint = $arm?->stop();
            if ($complaint !== null) {
                $this->bench->report->note($complaint);
            }
        }
    }

    private function start(Stage $stage, string $name, int $workers): Arm
    {
        $workspace = $this->bench->workspace;

        return $name === 'Weft'
            ? WeftArm::start($workspace, $stage->application, $workers, $this->bench->options->weftOptions, $stage->env)
            : FpmArm::start($workspace, $stage->application, $workers, $stage->env);
    }

    private function compareBodies(Arm $arm, string $route): void
    {
        $body = Http::body($arm->port(), $route);
        $this->bodies[$route] ??= $body;
        $difference = Http::difference($this->bodies[$route], $body);
        if ($difference !== null) {
            throw new Failure($difference);
        }
    }

    private function tabulate(): void
    {
        foreach ($this->routes() as $route) {
            foreach ($this->bench->options->workers as $workers) {
                $medians = [];
                foreach (['Weft', 'PHP-FPM'] as $arm) {
                    $key = self::key($route, $arm, $workers);
                    if (isset($this->failures[$key])) {
                        $this->bench->report->add(Row::without('serve', 'Serving', $key, $this->failures[$key]));
                    } elseif (isset($this->samples[$key])) {
                        $medians[$arm] = $this->addRow($key, $this->samples[$key]);
                    }
                }
                if (isset($medians['Weft'], $medians['PHP-FPM'])) {
                    $this->addRatio($route, $workers, $medians['Weft'] / $medians['PHP-FPM']);
                }
            }
        }
    }

    /** @param list<Sample> $samples */
    private function addRow(string $name, array $samples): float
    {
        $median = static fn (string $of): string => Stats::format(Stats::median(array_map(static fn (Sample $s): float => $s->toArray()[$of] ?? 0.0, $samples)));
        $throughput = array_map(static fn (Sample $s): float => $s->throughput, $samples);
        $this->bench->report->add(new Row('serve', 'Serving', $name, [
            'requests/s' => Stats::format(Stats::median($throughput)),
            '±%' => sprintf('%.0f', Stats::spread($throughput)),
            'P50 ms' => $median('p50_ms'),
            'P99 ms' => $median('p99_ms'),
            'CPU ms/request' => $median('cpu_ms_per_request'),
            'PSS MiB' => $median('pss_mib'),
        ], ['samples' => array_map(static fn (Sample $s): array => $s->toArray(), $samples)]));

        return Stats::median($throughput);
    }

    private function addRatio(string $route, int $workers, float $ratio): void
    {
        $judged = $route === '/test' && $workers === 1;
        $missed = $judged && $ratio < self::TEST_TARGET;
        $this->bench->report->add(new Row(
            'serve',
            'Throughput, Weft / PHP-FPM',
            "$route, $workers worker" . ($workers > 1 ? 's' : ''),
            ['ratio' => Stats::format($ratio), 'target' => $judged ? 'at least ' . self::TEST_TARGET : ''],
            ['ratio' => $ratio],
            $missed ? Row::MISSED : Row::OK,
        ));
    }

    /** 400 requests of one second each, 200 at once, one worker. */
    private function sleepers(Stage $stage): void
    {
        $row = self::SLEEPERS . ' requests of 1 s, ' . self::SLEEPERS_AT_ONCE . ' at once, 1 worker';
        if (!$this->bench->options->wants('/sleep')) {
            return;
        }
        $this->bench->console->say("serve: $row");
        $arm = null;
        try {
            $h2load = Workspace::tool('h2load', 'nghttp2-client');
            $arm = $this->start($stage, 'Weft', 1);
            $path = '/sleep?ms=1000';
            Http::body($arm->port(), $path);
            $start = microtime(true);
            [, $output] = Workspace::capture([$h2load, '--h1', '-n' . self::SLEEPERS, '-c' . self::SLEEPERS_AT_ONCE,
                "http://127.0.0.1:{$arm->port()}$path"]);
            $seconds = microtime(true) - $start;
            if (!str_contains($output, self::SLEEPERS . ' 2xx')) {
                throw new Failure(preg_match('/^status codes: .*$/m', $output, $match) === 1 ? $match[0] : Value::excerpt($output));
            }
            $this->bench->report->add(new Row(
                'serve',
                'Waiting',
                $row,
                ['seconds' => Stats::format($seconds), 'target' => 'about 2'],
                ['seconds' => $seconds],
                $seconds > self::SLEEP_TARGET ? Row::MISSED : Row::OK,
            ));
        } catch (Failure | Missing $e) {
            $this->bench->report->add(Row::without('serve', 'Waiting', $row, $e));
        } finally {
            $arm?->stop();
        }
    }

    /** @return list<key-of<self::ROUTES>> */
    private function routes(): array
    {
        return array_values(array_filter(array_keys(self::ROUTES), $this->bench->options->wants(...)));
    }

    private function perRoute(): float
    {
        // Warming up fills the queue, and what is queued at the end is waited for.
        return 1.25 * $this->bench->options->duration + 2.5;
    }

    private static function key(string $route, string $arm, int $workers): string
    {
        return "$route, $arm, $workers worker" . ($workers > 1 ? 's' : '');
    }
}
