<?php

declare(strict_types=1);

namespace Weft\Bench;

/** Runs bench/micro/*.php, each of which compares two sides and prints a ratio. */
final class MicroSuite implements Suite
{
    private const SECONDS_EACH = 12.0;

    public function __construct(private readonly Bench $bench)
    {
    }

    public function seconds(): float
    {
        return self::SECONDS_EACH * count($this->scripts());
    }

    public function run(): void
    {
        foreach ($this->scripts() as $script) {
            $name = basename($script, '.php');
            $this->bench->console->say("micro: $name");
            $log = $this->bench->workspace->log("micro-$name");
            $command = [PHP_BINARY, $script, '--json', ...($this->bench->options->quick ? ['--quick'] : [])];
            $process = Process::start("micro/$name", $command, $log);
            try {
                if ($process->wait(180.0) === null) {
                    throw new Failure('not done after 3 minutes');
                }
                $this->read($name, (string) file_get_contents($log), $process->output());
            } catch (Failure $e) {
                $this->bench->report->add(Row::without('micro', 'Micro', $name, $e));
            } finally {
                $process->stop();
            }
            $this->bench->console->advance(self::SECONDS_EACH);
        }
    }

    private function read(string $name, string $lines, string $output): void
    {
        $found = false;
        foreach (explode("\n", trim($lines)) as $line) {
            if (!str_starts_with($line, '{')) {
                continue;
            }
            $found = true;
            $result = Value::decode($line);
            $cells = [];
            foreach (['measured', 'against', 'ratio', 'target'] as $column) {
                $cells[$column] = Value::text($result, $column);
            }
            $this->bench->report->add(new Row(
                'micro',
                'Micro',
                Value::text($result, 'name'),
                $cells,
                ['result' => $result],
                Value::text($result, 'status'),
                Value::text($result, 'reason'),
            ));
        }
        if (!$found) {
            throw new Failure("micro/$name printed no result: " . Value::excerpt($output));
        }
    }

    /** @return list<string> */
    private function scripts(): array
    {
        $scripts = glob($this->bench->workspace->root . '/bench/micro/*.php') ?: [];

        return array_values(array_filter($scripts, fn (string $file): bool => $this->bench->options->wants(basename($file, '.php'))));
    }
}
