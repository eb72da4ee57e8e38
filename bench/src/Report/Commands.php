<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

/** What bench/run does with results that are already there: report, compare, publish. */
final class Commands
{
    public const NAMES = ['report', 'compare', 'publish'];

    public const USAGE = <<<'TEXT'
               bench/run report RUN             makes report.md and report.html again from RUN/raw.json
               bench/run compare A B [options]  what changed from run A to run B, and what of it is more than noise
                 --json                  as JSON
                 --all                   also what did not change
                 --fail-on-regression    exit status 1 when something got worse by more than noise
               bench/run publish RUN [--to=FILE] [--force]
                                         puts RUN's results into docs/benchmarks.md, between its two marks

        TEXT;

    /** @param list<string> $arguments what follows the name */
    public static function main(string $name, array $arguments): int
    {
        try {
            return match ($name) {
                'report' => self::report($arguments),
                'compare' => CompareCommand::main($arguments),
                default => Publisher::main($arguments),
            };
        } catch (Unreadable $e) {
            fwrite(STDERR, $e->getMessage() . "\n");

            return 2;
        }
    }

    /** @param list<string> $arguments */
    private static function report(array $arguments): int
    {
        [$run] = self::paths('report', $arguments, ['RUN']);
        $directory = dirname(Run::load($run)->file);
        Writer::write($directory);
        echo "$directory/report.md\n$directory/report.html\n";

        return 0;
    }

    /**
     * @param list<string>           $arguments
     * @param non-empty-list<string> $names     what each stands for
     *
     * @return non-empty-list<string>
     */
    public static function paths(string $command, array $arguments, array $names): array
    {
        $paths = array_values(array_filter($arguments, static fn (string $argument): bool => !str_starts_with($argument, '--')));
        if ($paths === [] || count($paths) !== count($names)) {
            throw new Unreadable(sprintf(
                "bench/run %s needs %s, but got %d paths.\n\nusage:\n%s",
                $command,
                implode(' and ', $names),
                count($paths),
                self::USAGE,
            ));
        }

        return $paths;
    }

    /**
     * @param list<string> $arguments
     * @param list<string> $known     a name that ends with = takes a value
     *
     * @return array<string, string>
     */
    public static function options(array $arguments, array $known): array
    {
        $options = [];
        foreach ($arguments as $argument) {
            if (!str_starts_with($argument, '--')) {
                continue;
            }
            [$name, $value] = explode('=', substr($argument, 2), 2) + [1 => null];
            if (!in_array($value === null ? $name : "$name=", $known, true)) {
                throw new Unreadable("Unknown option $argument.\n\nusage:\n" . self::USAGE);
            }
            $options[$name] = $value ?? '1';
        }

        return $options;
    }
}
