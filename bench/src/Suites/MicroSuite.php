<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Bench;
use Weft\Bench\Failure;
use Weft\Bench\Pair;
use Weft\Bench\Process;
use Weft\Bench\Suite;
use Weft\Bench\Value;

/** Runs bench/micro/*.php, each of which compares two sides; their samples are the rounds. */
final class MicroSuite implements Suite
{
    private const SECONDS_EACH = 20.0;
    private const SECONDS_EACH_QUICK = 6.0;

    /** Scripts of a quick run, unless others are named: those that take a few seconds. */
    private const QUICK = ['create', 'interpose', 'parse', 'ping-pong', 'scan', 'sleep', 'switch'];

    /** It compares with nothing else. */
    private const NEEDS_SWOOLE = 'ping-pong.php';

    /** Of one script. */
    private const LIMIT_SECONDS = 300.0;

    /** Metrics by the unit that a script prints. */
    private const METRICS = ['ns' => 'nanoseconds', 'µs' => 'microseconds', 'KiB' => 'kibibytes', 'calls' => 'calls', 'req/s' => 'throughput', 'ms' => 'time'];

    public function __construct(private readonly Bench $bench)
    {
    }

    public function name(): string
    {
        return 'micro';
    }

    public function title(): string
    {
        return 'Single operations';
    }

    public function about(): string
    {
        return 'What one operation costs, against what it replaces; each sample is a fresh process, the sides take turns.';
    }

    public function baseline(): string
    {
        return 'plain';
    }

    public function arms(): array
    {
        return ['weft', 'plain', 'yardstick', 'swoole'];
    }

    public function workloads(): array
    {
        return array_map(static fn (string $file): string => basename($file, '.php'), $this->scripts());
    }

    /** A script takes its own rounds. */
    public function rounds(): int
    {
        return 1;
    }

    public function seconds(): float
    {
        return count($this->wanted()) * ($this->bench->options->quick() ? self::SECONDS_EACH_QUICK : self::SECONDS_EACH);
    }

    public function prepare(): void
    {
    }

    public function round(int $number): void
    {
        foreach ($this->wanted() as $script) {
            $name = basename($script, '.php');
            $this->bench->console->say("micro: $name");
            $log = $this->bench->workspace->log("micro-$name");
            $command = [PHP_BINARY, $script, '--json', ...($this->bench->options->quick() ? ['--quick'] : [])];
            $process = Process::start("micro/$name", $command, $log);
            try {
                if ($process->wait(self::LIMIT_SECONDS) === null) {
                    throw new Failure(sprintf('not done after %.0f minutes', self::LIMIT_SECONDS / 60));
                }
                $this->read($name, (string) file_get_contents($log), $process->output());
            } catch (Failure $e) {
                $this->bench->result->hole('micro', 'weft', $name, $e->getMessage(), $process->output());
            } finally {
                $process->stop();
            }
            $this->bench->result->save();
        }
    }

    public function finish(): void
    {
    }

    private function read(string $script, string $lines, string $output): void
    {
        $found = false;
        foreach (explode("\n", trim($lines)) as $line) {
            if (!str_starts_with($line, '{')) {
                continue;
            }
            $found = true;
            $pair = Value::decode($line);
            $name = Value::text($pair, 'name');
            if (Value::text($pair, 'reason') !== '') {
                $this->bench->result->hole('micro', 'weft', $name, Value::text($pair, 'reason'), $output, Value::text($pair, 'status') === Pair::SKIPPED);
            }
            $parameters = ['script' => $script];
            $this->add('weft', $name, $parameters, $pair, 'measured');
            $this->add(Value::text($pair, 'other') ?: 'plain', $name, $parameters, $pair, 'against');
        }
        if (!$found) {
            throw new Failure("micro/$script printed no result: " . Value::excerpt($output));
        }
    }

    /**
     * @param array<string, scalar> $parameters
     * @param array<mixed>          $pair
     */
    private function add(string $arm, string $workload, array $parameters, array $pair, string $side): void
    {
        $samples = is_array($pair['samples'] ?? null) && is_array($pair['samples'][$side] ?? null) ? $pair['samples'][$side] : [];
        $metric = self::METRICS[Value::text($pair, 'unit')] ?? null;
        foreach ($samples as $sample) {
            if ($metric === null || !(is_float($sample) || is_int($sample))) {
                continue;
            }
            $row = $this->bench->result->add('micro', $arm, $workload, $parameters, [$metric => (float) $sample]);
            $other = Value::text($pair, 'other') ?: $this->baseline();
            // To be so many times a yardstick is neither a gain nor a loss.
            $row->baseline($other === Pair::YARDSTICK ? 'weft' : $other);
            $target = $pair['target_number'] ?? null;
            if ($arm === 'weft' && (is_float($target) || is_int($target))) {
                $alone = Value::text($pair, 'against') === '';
                $row->target($metric, $alone ? (float) $target : null, $alone ? null : (float) $target);
            }
        }
    }

    /** @return list<string> */
    private function wanted(): array
    {
        $options = $this->bench->options;
        $wants = static fn (string $name): bool => $options->workloads === [] && $options->quick() ? in_array($name, self::QUICK, true) : $options->wants($name);

        $swoole = $this->bench->arms(['swoole'], 1) !== [];

        return array_values(array_filter($this->scripts(), static fn (string $file): bool => $wants(basename($file, '.php')) && ($swoole || basename($file) !== self::NEEDS_SWOOLE)));
    }

    /** @return list<string> those that compare two sides; others print a table of their own, for people */
    private function scripts(): array
    {
        $scripts = glob($this->bench->workspace->root . '/bench/micro/*.php') ?: [];

        return array_values(array_filter($scripts, static fn (string $file): bool => str_contains((string) file_get_contents($file), 'Pair::main(') || str_contains((string) file_get_contents($file), 'Pair::report(')));
    }
}
