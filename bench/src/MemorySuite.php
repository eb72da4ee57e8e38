<?php

declare(strict_types=1);

namespace Weft\Bench;

/** Memory at rest after 1,000 requests, by number of workers. */
final class MemorySuite implements Suite
{
    private const WORKERS = [1, 4, 16];
    private const REQUESTS = 1000;
    private const CLIENTS = 32;
    private const ROUTES = ['/hello', '/bench?n=10'];
    private const REST_SECONDS = 1.5;
    private const SECONDS_EACH = 8.0;

    /** MiB that a worker may cost. */
    private const TARGET = 4.0;

    public function __construct(private readonly Bench $bench)
    {
    }

    public function seconds(): float
    {
        return 4.0 + 2 * count(self::WORKERS) * self::SECONDS_EACH;
    }

    public function run(): void
    {
        try {
            $stage = Stage::build($this->bench, 0.0);
        } catch (Failure | Missing $e) {
            $this->bench->report->add(Row::without('memory', 'Memory at rest', 'all rows', $e));
            $this->bench->console->advance($this->seconds());

            return;
        }
        $this->bench->console->advance(4.0);
        try {
            foreach (['Weft', 'PHP-FPM'] as $name) {
                $sums = [];
                foreach (self::WORKERS as $workers) {
                    $sums[$workers] = $this->measure($stage, $name, $workers);
                    $this->bench->console->advance(self::SECONDS_EACH);
                }
                $this->slope($name, array_filter($sums));
            }
        } finally {
            $stage->stop();
        }
    }

    /** Returns the sum in MiB; null when it could not be measured. */
    private function measure(Stage $stage, string $name, int $workers): ?float
    {
        $row = "$name, $workers worker" . ($workers > 1 ? 's' : '');
        $this->bench->console->say("memory: $row");
        $arm = null;
        try {
            $arm = $name === 'Weft'
                ? WeftArm::start($this->bench->workspace, $stage->application, $workers, $this->bench->options->weftOptions, $stage->env)
                : FpmArm::start($this->bench->workspace, $stage->application, $workers, $stage->env);
            $this->requests($arm);
            usleep((int) (self::REST_SECONDS * 1e6));
            $tree = $arm->processes();
            $each = [];
            foreach ($tree->pids() as $pid) {
                $each[$pid] = ProcessTree::memory($pid);
            }
            $mib = array_sum(array_column($each, 'Pss')) / 1048576;
            $own = $arm instanceof WeftArm ? array_map(static fn (int $pid): float => ($each[$pid]['Private'] ?? 0) / 1048576, $arm->workers()) : [];
            // Connections do not spread evenly: some workers may have served nothing, so the greatest share counts.
            $missed = $own !== [] && max($own) > self::TARGET;
            $this->bench->report->add(new Row('memory', 'Memory at rest', $row, [
                'processes' => (string) count($each),
                'sum of PSS, MiB' => Stats::format($mib),
                "worker's private MiB, median" => $own === [] ? '' : Stats::format(Stats::median($own)),
                'greatest' => $own === [] ? '' : Stats::format(max($own)),
                'descriptors' => (string) $tree->descriptors(),
            ], ['pss_mib' => $mib, 'processes' => $each, 'private_mib' => $own], $missed ? Row::MISSED : Row::OK));

            return $mib;
        } catch (Failure | Missing $e) {
            $this->bench->report->add(Row::without('memory', 'Memory at rest', $row, $e));

            return null;
        } finally {
            $arm?->stop();
        }
    }

    private function requests(Arm $arm): void
    {
        $h2load = Workspace::tool('h2load', 'nghttp2-client');
        $each = intdiv(self::REQUESTS, count(self::ROUTES));
        foreach (self::ROUTES as $route) {
            Http::body($arm->port(), $route);
            [, $output] = Workspace::capture([$h2load, '--h1', "-n$each", '-c' . self::CLIENTS, "http://127.0.0.1:{$arm->port()}$route"]);
            if (!str_contains($output, "$each 2xx")) {
                throw new Failure("$route: " . (preg_match('/^(requests|status codes): .*$/m', $output, $match) === 1 ? $match[0] : Value::excerpt($output)));
            }
        }
    }

    /** @param array<int, float> $sums MiB by workers */
    private function slope(string $name, array $sums): void
    {
        if (!isset($sums[4], $sums[16])) {
            return;
        }
        $slope = ($sums[16] - $sums[4]) / 12;
        $judged = $name === 'Weft';
        $this->bench->report->add(new Row(
            'memory',
            'What one more worker costs',
            $name,
            ['MiB of PSS, (16 workers - 4 workers) / 12' => Stats::format($slope), 'target' => $judged ? 'at most ' . self::TARGET : ''],
            ['mib_per_worker' => $slope],
            $judged && $slope > self::TARGET ? Row::MISSED : Row::OK,
        ));
    }
}
