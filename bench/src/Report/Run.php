<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

/** A whole run as raw.json has it. An interrupted one is as good as a finished one, only shorter. */
final class Run
{
    public const FILE = 'raw.json';
    private const FORMAT = 1;

    /** Load for each processor up to which a machine counts as doing nothing else. */
    private const QUIET = 0.5;

    /**
     * @param array<string, string>                                                            $machine
     * @param array<string, string>                                                            $versions
     * @param array<string, string>                                                            $settings
     * @param list<Arm>                                                                        $arms
     * @param list<Suite>                                                                      $suites
     * @param list<array{suite: string, arm: string, workload: string, reason: string, log: string, skipped: bool}> $holes
     * @param list<array{name: string, passed: bool, detail: string}>                          $checks
     */
    private function __construct(
        public readonly string $file,
        public readonly string $commit,
        public readonly string $started,
        public readonly ?string $finished,
        public readonly bool $complete,
        public readonly string $profile,
        public readonly array $machine,
        public readonly array $versions,
        public readonly array $settings,
        public readonly array $arms,
        public readonly array $suites,
        public readonly array $holes,
        public readonly array $checks,
    ) {
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
        $root = Field::of($file);
        try {
            return self::read($file, $root);
        } catch (Unreadable $e) {
            throw new Unreadable("$file: {$e->getMessage()}", 0, $e);
        }
    }

    private static function read(string $file, Field $root): self
    {
        $format = $root->at('format');
        if ($format->missing()) {
            throw new Unreadable('has no "format": it is not the result of a benchmark run.');
        }
        if ($format->number() !== (float) self::FORMAT) {
            throw new Unreadable('has format ' . $format->text() . ', and this program reads format ' . self::FORMAT . '. Use the bench/run of the commit that made it.');
        }

        return new self(
            $file,
            $root->at('commit')->text('unknown'),
            $root->at('started')->text('unknown'),
            $root->at('finished')->missing() ? null : $root->at('finished')->text(),
            $root->at('complete')->flag(false),
            $root->at('profile')->text('custom'),
            $root->at('machine')->texts(),
            $root->at('versions')->texts(),
            $root->at('settings')->texts(),
            array_map(Arm::read(...), $root->at('arms')->items()),
            array_map(Suite::read(...), $root->at('suites')->items()),
            array_map(static fn (Field $hole): array => [
                'suite' => $hole->at('suite')->text(''), 'arm' => $hole->at('arm')->text(''), 'workload' => $hole->at('workload')->text(''),
                'reason' => $hole->at('reason')->text(), 'log' => $hole->at('log')->text(''), 'skipped' => $hole->at('skipped')->flag(false),
            ], $root->at('holes')->items()),
            array_map(static fn (Field $check): array => [
                'name' => $check->at('name')->text(), 'passed' => $check->at('passed')->flag(false), 'detail' => $check->at('detail')->text(''),
            ], $root->at('checks')->items()),
        );
    }

    public function armTitle(string $name): string
    {
        foreach ($this->arms as $arm) {
            if ($arm->name === $name) {
                return $arm->title;
            }
        }

        return $name;
    }

    /** Its place in the file: arms keep one colour and one order everywhere. Unknown ones come last. */
    public function armRank(string $name): int
    {
        foreach ($this->arms as $rank => $arm) {
            if ($arm->name === $name) {
                return $rank;
            }
        }

        return count($this->arms) + abs(crc32($name)) % 100;
    }

    /** The load average before the run when something else kept the processors busy; null when nothing did. */
    public function busy(): ?float
    {
        $load = (float) ($this->machine['load_before'] ?? 0);

        return $load > self::QUIET * max(1, (int) ($this->machine['cores'] ?? 1)) ? $load : null;
    }

    /** @return list<array{name: string, passed: bool, detail: string}> */
    public function failedChecks(): array
    {
        return array_values(array_filter($this->checks, static fn (array $check): bool => !$check['passed']));
    }
}
