<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Arm;
use Weft\Bench\Bench;
use Weft\Bench\Failure;
use Weft\Bench\Http;
use Weft\Bench\Missing;
use Weft\Bench\Row;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Setup;
use Weft\Bench\Value;

/** What suites have in common: an arm is up for some measurements, and a failure becomes a hole, not an end. */
final class Runner
{
    /** The pages of the example that are loaded, as one would name them for an application that is deployed. */
    private const WARM = '--warm=/,/hello,/test,/bench';

    /** The suites that load them. Others put the database so far away that warming /bench takes half a minute. */
    private const WARMED = ['database', 'latency', 'equal'];

    /** @var array<string, array{string, string}> the first arm to answer a path, and its body */
    private static array $bodies = [];

    /** @var array<string, float> */
    private array $idle = [];

    public function __construct(private readonly Bench $bench, private readonly string $suite, private readonly float $delay)
    {
    }

    /**
     * @param list<string>            $weft        options for bin/weft serve alone
     * @param \Closure(Server): void  $measure
     * @param string|null             $application instead of the Laravel application
     */
    public function with(Arm $arm, int $workers, array $weft, \Closure $measure, ?string $application = null): void
    {
        $server = null;
        try {
            $stage = $this->bench->stage();
            $warm = $application === null && in_array($this->suite, self::WARMED, true) ? [self::WARM] : [];
            $options = [...$warm, ...$weft, ...$this->bench->options->weftOptions];
            $setup = new Setup($application ?? $stage->application, $workers, $stage->env($this->delay), $options);
            $server = $arm->start($this->bench->workspace, $setup);
            Http::body($server->port(), '/hello');
            $this->checkWarm($arm, $server);
            $memory = $server->processes()->memoryOfAll();
            $this->idle = ['pss_idle' => $memory['Pss'] / 1048576, 'rss_idle' => $memory['Rss'] / 1048576];
            $measure($server);
        } catch (Failure | Missing $e) {
            $this->hole($arm->name(), '*', $e, $server);
        } finally {
            $complaint = $server?->stop();
            if ($complaint !== null) {
                $this->bench->result->check('nothing left behind', false, $complaint);
            }
        }
    }

    /** PHP's heap in the worker that happens to answer, in MiB. */
    public static function heap(Server $server, string $path): ?float
    {
        $heap = Http::get($server->port(), $path . (str_contains($path, '?') ? '&' : '?') . 'timing=1')->headers['x-bench-heap'] ?? null;

        return is_numeric($heap) ? (float) $heap / 1048576 : null;
    }

    /** @param \Closure(): void $measure */
    public function try(string $arm, string $workload, Server $server, \Closure $measure): void
    {
        try {
            $measure();
        } catch (Failure | Missing $e) {
            $this->hole($arm, $workload, $e, $server);
        }
    }

    /** Before any load: whoever answers something else than the others is not measured. */
    public function compareBodies(string $arm, Server $server, string $path, string $application = 'Laravel'): void
    {
        $body = Http::body($server->port(), $path);
        [$first, $expected] = self::$bodies["$application $path"] ??= [$arm, $body];
        $difference = Http::difference($expected, $body);
        $this->bench->result->check(
            "the same body from every arm, $application $path",
            $difference === null,
            $difference === null ? 'compared before the load, up to numbers' : "$arm against $first: $difference",
        );
        if ($difference !== null) {
            throw new Failure($difference);
        }
    }

    /** @param array<string, scalar|null> $parameters */
    public function add(string $arm, string $workload, array $parameters, Sample $sample): Row
    {
        return $this->bench->result->add(
            $this->suite,
            $arm,
            $workload,
            $parameters + ['latency_ms' => $this->delay],
            $this->idle + $sample->metrics,
            $sample->distribution,
            $sample->marks,
        );
    }

    /** A Weft that could not warm up serves all the same, but it is not what the rows say they show. */
    private function checkWarm(Arm $arm, Server $server): void
    {
        if (preg_match('/^\s*(Warm|Cold): (.*)$/m', $server->output(), $match) === 1) {
            $this->bench->result->check("{$arm->title()} warms up", $match[1] === 'Warm', $match[2]);
        }
    }

    private function hole(string $arm, string $workload, Failure|Missing $why, ?Server $server): void
    {
        $skipped = $why instanceof Missing;
        $this->bench->console->note(($skipped ? 'skipping' : 'FAILED') . " $this->suite, $arm, $workload: " . Value::excerpt($why->getMessage()));
        $this->bench->result->hole($this->suite, $arm, $workload, $why->getMessage(), $server === null || $skipped ? '' : substr($server->output(), -4000), $skipped);
    }
}
