<?php

declare(strict_types=1);

namespace Weft\Bench;

/** A whole run, as it is measured and as raw.json keeps it. An interrupted one is as good as a finished one, only shorter. */
final class Run implements \JsonSerializable
{
    public const FILE = 'raw.json';
    private const FORMAT = 2;

    /** What stands as the reason when the person who started the run left the arm out. */
    public const UNWANTED = 'not asked for';

    /** Load for each processor up to which a machine counts as doing nothing else. */
    private const QUIET = 0.5;

    public string $started = '';
    public ?string $finished = null;

    /** @var array<string, array{title: string, skipped: ?string}> */
    public array $arms = [];

    /** @var array<string, array{title: string, about: string, baseline: string}> */
    public array $suites = [];

    /** @var array<string, Row> by identity */
    private array $rows = [];

    /** @var array<string, list<Row>> by suite, arm and setting, of so many rows */
    private array $index = [];
    private int $indexed = 0;

    /** @var list<array{suite: string, arm: string, workload: string, reason: string, skipped: bool}> */
    public array $holes = [];

    /** @var array<string, array{passed: bool, detail: string}> */
    public array $checks = [];

    /**
     * @param array<string, string> $machine
     * @param array<string, string> $versions
     * @param array<string, string> $settings
     */
    public function __construct(
        public readonly string $directory,
        public readonly string $commit,
        public readonly string $profile,
        public readonly array $machine,
        public readonly array $versions = [],
        public array $settings = [],
    ) {
        $this->started = gmdate(DATE_ATOM);
    }

    /** @param string $path raw.json or the directory that holds it */
    public static function load(string $path): self
    {
        $file = is_dir($path) ? rtrim($path, '/') . '/' . self::FILE : $path;
        if (!is_file($file)) {
            throw new Unreadable(is_dir($path)
                ? "$path holds no " . self::FILE . ': it is not the directory of a benchmark run, or the run ended before its first figure.'
                : "$path does not exist. Runs are in var/bench/.");
        }
        $json = Json::read($file);
        try {
            return self::read(dirname($file), $json);
        } catch (Unreadable $e) {
            throw new Unreadable("$file: {$e->getMessage()}", 0, $e);
        }
    }

    /**
     * Adds a round's values to the row of this arm, workload and parameters.
     *
     * @param array<string, scalar> $parameters
     */
    public function add(string $suite, string $arm, string $workload, array $parameters, Sample $sample, ?string $pair = null): Row
    {
        $row = new Row(
            $suite,
            $arm,
            $workload,
            array_map(static fn (bool|int|float|string $value): string => is_bool($value) ? ($value ? 'yes' : 'no') : (string) $value, $parameters),
        );
        $row->pair = $pair;

        return ($this->rows[$row->identity()] ??= $row)->add($sample);
    }

    /** @return list<Row> */
    public function rows(?string $suite = null): array
    {
        return array_values(array_filter($this->rows, static fn (Row $row): bool => $suite === null || $row->suite === $suite));
    }

    /**
     * Something could not be measured. The same is told once, however many rounds it meets.
     *
     * @param bool $skipped whether only a program is missing here, which is no failure
     */
    public function hole(string $suite, string $arm, string $workload, string $reason, bool $skipped = false): void
    {
        foreach ($this->holes as $hole) {
            if ([$hole['suite'], $hole['arm'], $hole['workload']] === [$suite, $arm, $workload]) {
                return;
            }
        }
        $this->holes[] = ['suite' => $suite, 'arm' => $arm, 'workload' => $workload, 'reason' => $reason, 'skipped' => $skipped];
    }

    /** A failure is not forgotten when a later round passes. */
    public function check(string $name, bool $passed, string $detail): void
    {
        if (($this->checks[$name]['passed'] ?? true) || !$passed) {
            $this->checks[$name] = ['passed' => $passed, 'detail' => $detail];
        }
    }

    /** @return list<string> */
    public function failedChecks(): array
    {
        return array_map(strval(...), array_keys(array_filter($this->checks, static fn (array $check): bool => !$check['passed'])));
    }

    public function hasFailed(): bool
    {
        return $this->failedChecks() !== [] || array_filter($this->holes, static fn (array $hole): bool => !$hole['skipped']) !== [];
    }

    public function armTitle(string $name): string
    {
        return $this->arms[$name]['title'] ?? $name;
    }

    /** Its place in the file: arms keep one colour and one order everywhere. Unknown ones come last. */
    public function armRank(string $name): int
    {
        $rank = array_search($name, array_keys($this->arms), true);

        return is_int($rank) ? $rank : count($this->arms) + abs(crc32($name)) % 100;
    }

    public function baselineName(Row $row): string
    {
        return $row->baseline ?? $this->suites[$row->suite]['baseline'] ?? 'fpm';
    }

    /** The row that this one is a multiple of; null when there is none or it is the baseline itself. */
    public function baseline(Row $row): ?Row
    {
        return $this->counterpart($row, $this->baselineName($row));
    }

    /** What another arm did at the same setting. */
    public function counterpart(Row $row, string $arm): ?Row
    {
        if ($arm === $row->arm) {
            return null;
        }
        if ($this->indexed !== count($this->rows)) {
            $this->index = [];
            $this->indexed = count($this->rows);
            foreach ($this->rows as $other) {
                $this->index["$other->suite\0$other->arm\0{$other->setting()}"][] = $other;
            }
        }
        $found = $this->index["$row->suite\0$arm\0{$row->setting()}"] ?? [];
        foreach ($found as $other) {
            if (count($found) === 1 || $other->given() === $row->given()) {
                return $other;
            }
        }

        return null;
    }

    /** The baseline's row, where a multiple of its figure says something. */
    public function against(Row $row, string $metric): ?Row
    {
        return $row->isGiven($metric) || Metric::isTheory($metric) ? null : $this->baseline($row);
    }

    public function ratio(Row $row, string $metric): ?float
    {
        return $row->ratio($metric, $this->against($row, $metric));
    }

    /** Whether a row's figure reaches its target; null when it has none. The baseline is not judged. */
    public function meets(Row $row, string $metric): ?bool
    {
        return $this->baselineName($row) === $row->arm ? null : $row->meets($metric, $this->against($row, $metric));
    }

    /** The load average before the run when something else kept the processors busy; null when nothing did. */
    public function busy(): ?float
    {
        $load = (float) ($this->machine['load_before'] ?? 0);

        return $load > self::QUIET * max(1, (int) ($this->machine['cores'] ?? 1)) ? $load : null;
    }

    /** Whole at every moment, so an interrupted run keeps what it has. */
    public function save(): void
    {
        $flags = JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR;
        Workspace::put(Workspace::directory($this->directory) . '/' . self::FILE, json_encode($this, $flags) . "\n");
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        return [
            'format' => self::FORMAT, 'commit' => $this->commit, 'started' => $this->started, 'finished' => $this->finished, 'profile' => $this->profile,
            'machine' => (object) $this->machine, 'versions' => (object) $this->versions, 'settings' => (object) $this->settings, 'arms' => (object) $this->arms,
            'suites' => (object) $this->suites, 'rows' => array_values($this->rows), 'holes' => $this->holes, 'checks' => (object) $this->checks,
        ];
    }

    private static function read(string $directory, Json $json): self
    {
        if ($json->at('format')->missing()) {
            throw new Unreadable('has no "format": it is not the result of a benchmark run.');
        }
        if ($json->number('format') !== (float) self::FORMAT) {
            throw new Unreadable('has format ' . $json->text('format') . ', and this program reads format ' . self::FORMAT . '. Use the bench/run of the commit that made it.');
        }
        $run = new self(
            $directory,
            $json->text('commit', 'unknown'),
            $json->text('profile', 'custom'),
            $json->texts('machine'),
            $json->texts('versions'),
            $json->texts('settings'),
        );
        $run->started = $json->text('started', 'unknown');
        $run->finished = $json->optional('finished');
        foreach ($json->members('arms') as $name => $arm) {
            $run->arms[$name] = ['title' => $arm->text('title', $name), 'skipped' => $arm->optional('skipped')];
        }
        foreach ($json->members('suites') as $name => $suite) {
            $run->suites[$name] = ['title' => $suite->text('title', $name), 'about' => $suite->text('about', ''), 'baseline' => $suite->text('baseline', 'fpm')];
        }
        foreach ($json->items('rows') as $item) {
            $row = Row::read($item);
            $run->rows[$row->identity()] = $row;
        }
        foreach ($json->items('holes') as $hole) {
            $run->hole($hole->text('suite', ''), $hole->text('arm', ''), $hole->text('workload', ''), $hole->text('reason'), $hole->at('skipped')->value() === true);
        }
        foreach ($json->members('checks') as $name => $check) {
            $run->check($name, $check->at('passed')->value() === true, $check->text('detail', ''));
        }

        return $run;
    }
}
