<?php

declare(strict_types=1);

namespace Weft\Bench;

/**
 * Two sides of a micro benchmark. Each sample is taken by a fresh PHP process, the sides in turn, so that
 * neither what one leaves behind nor a machine that gets slower favours one of them.
 */
final class Pair
{
    public const OK = 'ok';
    public const MISSED = 'target missed';
    public const FAILED = 'failed';
    public const SKIPPED = 'skipped';

    /**
     * What a measured side is compared with: what it replaces, Swoole, or something that only says how much it is.
     * They are arms of the report too.
     */
    public const PLAIN = 'plain';
    public const SWOOLE = 'swoole';
    public const YARDSTICK = 'yardstick';

    /**
     * @param \Closure(): float      $measured  one sample, in $unit, in a PHP with Weft
     * @param \Closure(): float|null $against   one sample of what it is compared with, in a PHP without Weft
     * @param float|null             $target    the ratio may not be greater (or, for $against null, the value)
     * @param list<string>           $settings  php.ini directives of the side with Weft, as "name=value"
     * @param self::PLAIN|self::SWOOLE|self::YARDSTICK $other   what the other side loads
     */
    public function __construct(
        private readonly string $name,
        private readonly string $unit,
        private readonly \Closure $measured,
        private readonly ?\Closure $against,
        private readonly ?float $target,
        private readonly int $samples = 7,
        private readonly array $settings = [],
        private readonly string $other = self::PLAIN,
    ) {
    }

    /** For scripts: `--side=measured|against` takes one sample here; without it, all are taken and compared. */
    public static function main(self ...$pairs): never
    {
        $arguments = self::arguments();
        foreach ($arguments as $argument) {
            if (preg_match('/^--sample=(\d+):(measured|against)$/', $argument, $match) === 1) {
                $pair = $pairs[(int) $match[1]];
                $side = $match[2] === 'measured' ? $pair->measured : $pair->against;
                echo "\nSAMPLE ", $side === null ? 0 : json_encode($side()), "\n";
                exit(0);
            }
        }
        $json = in_array('--json', $arguments, true);
        $failed = false;
        foreach (array_values($pairs) as $number => $pair) {
            $result = $pair->compare(get_included_files()[0], $number, in_array('--quick', $arguments, true) ? 3 : $pair->samples);
            $failed = $failed || $result['status'] === self::FAILED;
            self::report($result, $json);
        }
        exit($failed ? 1 : 0);
    }

    /** @return list<string> */
    public static function arguments(): array
    {
        $given = $_SERVER['argv'] ?? [];

        return is_array($given) ? array_slice(array_values(array_filter($given, is_string(...))), 1) : [];
    }

    /** @param array<string, mixed> $result */
    public static function report(array $result, bool $json): void
    {
        if ($json) {
            echo json_encode($result, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE), "\n";

            return;
        }
        $text = Value::text(...);
        printf("%s\n  %s\n", $text($result, 'name'), $text($result, 'status') . ($text($result, 'reason') === '' ? '' : ': ' . $text($result, 'reason')));
        foreach (['measured', 'against', 'ratio', 'target'] as $key) {
            printf("  %-9s %s\n", $key, $text($result, $key));
        }
    }

    /**
     * @param list<float> $measured
     * @param list<float> $against
     *
     * @return array<string, mixed>
     */
    public static function result(string $name, string $unit, array $measured, array $against, ?float $target): array
    {
        $left = Stats::median($measured);
        $right = Stats::median($against);
        $ratio = $right > 0.0 ? $left / $right : null;
        $judged = $against === [] ? $left : $ratio;

        return [
            'name' => $name, 'measured' => self::show($measured, $unit), 'against' => self::show($against, $unit),
            'ratio' => $ratio === null ? '' : Stats::format($ratio),
            'target' => $target === null ? '' : 'at most ' . Stats::format($target) . ($against === [] ? " $unit" : ''),
            'status' => $target === null || $judged === null || $judged <= $target ? self::OK : self::MISSED,
            'reason' => '', 'unit' => $unit, 'target_number' => $target, 'samples' => ['measured' => $measured, 'against' => $against],
        ];
    }

    /** @param list<float> $values */
    private static function show(array $values, string $unit): string
    {
        return $values === [] ? '' : sprintf('%s %s ±%.0f%%', Stats::format(Stats::median($values)), $unit, 50 * Stats::spread($values));
    }

    /** @return array<string, mixed> */
    private function compare(string $script, int $number, int $samples): array
    {
        $measured = [];
        $against = [];
        $error = '';
        for ($i = 0; $i < $samples; $i++) {
            try {
                // The plain side still gives its figure when Weft is not there yet.
                if ($this->against !== null) {
                    $against[] = $this->sample($script, $number, 'against');
                }
                if ($error === '') {
                    $measured[] = $this->sample($script, $number, 'measured');
                }
            } catch (Missing | Failure $e) {
                if ($this->against !== null && count($against) <= $i) {
                    return self::without($this->name, $e);
                }
                $error = $e->getMessage();
                $status = $e instanceof Missing ? self::SKIPPED : self::FAILED;
            }
        }
        $result = self::result($this->name, $this->unit, $measured, $against, $this->target);

        $result += ['other' => $this->other];

        return isset($status) ? ['status' => $status, 'reason' => $error, 'ratio' => ''] + $result : $result;
    }

    /** @return array<string, mixed> */
    public static function without(string $name, \Throwable $why): array
    {
        return ['name' => $name, 'status' => $why instanceof Missing ? self::SKIPPED : self::FAILED, 'reason' => $why->getMessage()];
    }

    private function sample(string $script, int $number, string $side): float
    {
        $php = $side === 'measured' || $this->other !== self::SWOOLE ? self::php($side === 'measured') : self::phpWithSwoole();
        foreach ($side === 'measured' ? $this->settings : [] as $setting) {
            array_push($php, '-d', $setting);
        }
        [$status, $output] = Workspace::capture([...$php, $script, "--sample=$number:$side"]);
        if ($status !== 0 || preg_match('/^SAMPLE (\S+)$/m', $output, $match) !== 1) {
            throw new Failure("$side side: exit status $status: " . Value::excerpt($output));
        }

        return (float) $match[1];
    }

    /** @return list<string> */
    private static function phpWithSwoole(): array
    {
        $extension = Arms\Swoole::extension(new Workspace(sys_get_temp_dir()));

        return $extension === '' ? self::php(false) : [...self::php(false), '-d', "extension=$extension"];
    }

    /** @return list<string> a PHP with or without the extension, otherwise the same */
    public static function php(bool $withWeft): array
    {
        $php = [PHP_BINARY, '-d', 'opcache.enable_cli=0', '-d', 'memory_limit=-1'];
        if (!$withWeft) {
            return extension_loaded('weft') ? throw new Missing("php.ini loads weft: the plain side can't be measured") : $php;
        }
        $extension = (new Workspace(sys_get_temp_dir()))->extension();

        return $extension === null ? $php : [...$php, '-d', "extension=$extension"];
    }
}
