<?php

declare(strict_types=1);

namespace Weft\Bench;

/** raw.json of a run. The file is whole at every moment, so an interrupted run keeps what it has. */
final class Result
{
    public const FORMAT = 1;

    private readonly string $started;
    private ?string $finished = null;

    /** @var array<string, array{name: string, title: string, skipped: ?string}> */
    private array $arms = [];

    /** @var array<string, array{name: string, title: string, about: string, baseline: string}> */
    private array $suites = [];

    /** @var array<string, array<string, Row>> by suite and identity */
    private array $rows = [];

    /** @var list<array{suite: string, arm: string, workload: string, reason: string, log: string, skipped: bool}> */
    private array $holes = [];

    /** @var array<string, array{name: string, passed: bool, detail: string}> */
    private array $checks = [];

    /** @param array<string, scalar> $settings */
    public function __construct(
        public readonly string $dir,
        private readonly Machine $machine,
        private readonly string $profile,
        private array $settings,
    ) {
        $this->started = gmdate(DATE_ATOM);
    }

    public function arm(string $name, string $title, ?string $skipped): void
    {
        $this->arms[$name] = ['name' => $name, 'title' => $title, 'skipped' => $skipped];
    }

    public function suite(Suite $suite): void
    {
        $this->suites[$suite->name()] = ['name' => $suite->name(), 'title' => $suite->title(), 'about' => $suite->about(), 'baseline' => $suite->baseline()];
    }

    /**
     * Adds a round's values to the row of this arm, workload and parameters.
     *
     * @param array<string, scalar|null>     $parameters
     * @param array<string, float>           $metrics      keys of Metric::ALL
     * @param list<array{float, float}>|null $distribution percentile and milliseconds
     * @param list<string>                   $marks        what a reader must know to believe the row
     */
    public function add(string $suite, string $arm, string $workload, array $parameters, array $metrics, ?array $distribution = null, array $marks = []): Row
    {
        $key = "$arm\n$workload\n" . json_encode($parameters);
        $row = $this->rows[$suite][$key] ??= new Row($arm, $workload, $parameters);
        $row->add($metrics, $distribution, $marks);

        return $row;
    }

    /** @return list<Row> */
    public function rows(string $suite): array
    {
        return array_values($this->rows[$suite] ?? []);
    }

    /**
     * Something could not be measured. The same reason is told once, however many rounds it meets.
     *
     * @param bool $skipped whether only a program is missing here, which is no failure
     */
    public function hole(string $suite, string $arm, string $workload, string $reason, string $log = '', bool $skipped = false): void
    {
        foreach ($this->holes as $hole) {
            if ([$hole['suite'], $hole['arm'], $hole['workload']] === [$suite, $arm, $workload]) {
                return;
            }
        }
        $this->holes[] = ['suite' => $suite, 'arm' => $arm, 'workload' => $workload, 'reason' => $reason, 'log' => $log, 'skipped' => $skipped];
    }

    /** A failure is not forgotten when a later round passes. */
    public function check(string $name, bool $passed, string $detail): void
    {
        if (($this->checks[$name]['passed'] ?? true) || !$passed) {
            $this->checks[$name] = ['name' => $name, 'passed' => $passed, 'detail' => $detail];
        }
    }

    public function setting(string $name, bool|int|float|string $value): void
    {
        $this->settings[$name] = $value;
    }

    public function finish(): void
    {
        $this->finished = gmdate(DATE_ATOM);
        $this->save();
    }

    public function hasHoles(): bool
    {
        return array_filter($this->holes, static fn (array $hole): bool => !$hole['skipped']) !== [] || array_filter($this->checks, static fn (array $check): bool => !$check['passed']) !== [];
    }

    public function file(): string
    {
        return "$this->dir/raw.json";
    }

    public function save(): void
    {
        $json = json_encode($this->toArray(), JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR);
        if (!is_dir($this->dir) && !@mkdir($this->dir, 0o755, true) && !is_dir($this->dir)) {
            throw new Failure("Could not make $this->dir: " . (error_get_last()['message'] ?? ''));
        }
        $temporary = "$this->dir/.raw.json." . getmypid();
        if (@file_put_contents($temporary, "$json\n") === false || !@rename($temporary, $this->file())) {
            $why = error_get_last()['message'] ?? '';
            @unlink($temporary);
            throw new Failure("Could not write {$this->file()}: $why");
        }
    }

    /** @return array<string, mixed> */
    private function toArray(): array
    {
        $suites = [];
        foreach ($this->suites as $name => $suite) {
            $suites[] = $suite + ['rows' => array_map(static fn (Row $row): array => $row->toArray(), $this->rows($name))];
        }

        return [
            'format' => self::FORMAT, 'commit' => $this->machine->commit, 'started' => $this->started,
            'finished' => $this->finished, 'complete' => $this->finished !== null, 'profile' => $this->profile,
            'machine' => $this->machine->facts, 'versions' => $this->machine->versions, 'settings' => (object) $this->settings,
            'arms' => array_values($this->arms), 'suites' => $suites, 'holes' => $this->holes, 'checks' => array_values($this->checks),
        ];
    }
}
