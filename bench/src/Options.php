<?php

declare(strict_types=1);

namespace Weft\Bench;

use Weft\Bench\Suites\FanoutArms;

/** What bench/run was asked for. */
final class Options
{
    /** What a profile sets, each of which has an option of its own. */
    private const PROFILES = [
        'quick' => ['rounds' => 1, 'duration' => 1.0, 'workers' => [1], 'soak' => 20.0, 'requests' => 5000, 'limit' => 4.5, 'connections' => 16, 'without' => ['memory']],
        'full' => ['rounds' => 3, 'duration' => 2.0, 'workers' => [1, 2, 4, 8], 'soak' => 600.0, 'requests' => 1_000_000, 'limit' => 42, 'connections' => 32, 'without' => []],
    ];

    /** More workers than this make sense on larger machines only. */
    private const MANY_WORKERS = [12, 16];
    private const MANY_CORES = 8;

    public const USAGE = <<<'TEXT'
        usage: bench/run [SUITE…] [options]

          suites              %s
                              (without a name, or with all: %s)
          --profile=quick     short measurements: to see that everything works (--quick is the same)
          --profile=full      the default
          --arm=NAME,…        some arms: %s
          --workload=NAME,…   some workloads, as /bench
          --rounds=N          interleaved rounds (3; quick 1)
          --workers=1,2       worker counts (1,2,4,8, with 8 cores also 12,16; quick 1)
          --duration=S        seconds of load per measurement (2; quick 1)
          --connections=N     connections of a closed loop (32; quick 16)
          --delay=MS          what the proxy adds to the database, each way (1.1)
          --limit=MINUTES     rounds beyond the first are left out when it would take longer (42; quick 4.5)
          --scale=F           part of the target rates to ask for (measured)
          --config=cached|plain   Laravel's configuration and route cache, for all arms (cached)
          --jit=off|tracing   OPcache's JIT, for all arms (off)
          --seconds=S         length of soak (600; quick 20)
          --requests=N        requests of growth with isolation on (1000000; quick 5000)
          --weft-option=TEXT  passed on to bin/weft serve; may be repeated
          --swoole=FILE       swoole.so of a build made by hand (or WEFT_BENCH_SWOOLE)
          --octane=DIR        a checkout of laravel/octane (or WEFT_BENCH_OCTANE)
          --frankenphp=FILE   the frankenphp program (or WEFT_BENCH_FRANKENPHP)

        TEXT;

    /**
     * @param list<string>         $suites
     * @param list<string>         $arms        empty: all
     * @param list<string>         $workloads   empty: all
     * @param list<int>            $workers
     * @param list<string>         $weftOptions
     */
    private function __construct(
        public readonly array $suites,
        public readonly string $profile,
        public readonly bool $changed,
        public readonly array $arms,
        public readonly array $workloads,
        public readonly int $rounds,
        public readonly array $workers,
        public readonly int $connections,
        public readonly float $duration,
        public readonly float $delay,
        public readonly ?float $scale,
        public readonly bool $configCached,
        public readonly string $jit,
        public readonly float $seconds,
        public readonly int $requests,
        public readonly array $weftOptions,
        /** seconds after which a suite has no second round */
        public readonly float $limit,
    ) {
    }

    public static function usage(): string
    {
        return sprintf(self::USAGE, implode(' ', Suites::NAMES), implode(' ', Suites::USUAL), implode(' ', [...Arms::NAMES, ...array_keys(FanoutArms::TITLES)]));
    }

    /** @param list<string> $arguments */
    public static function parse(array $arguments, int $cores): self
    {
        $suites = [];
        $given = [];
        $weft = [];
        foreach ($arguments as $argument) {
            if ($argument === 'all') {
                array_push($suites, ...Suites::USUAL);
            } elseif ($argument === '--quick') {
                $given['profile'] = 'quick';
            } elseif (preg_match('/^--weft-option=(.+)$/', $argument, $match) === 1) {
                $weft[] = $match[1];
            } elseif (preg_match('/^--(swoole|octane|frankenphp)=(.+)$/', $argument, $match) === 1) {
                if (!file_exists($match[2])) {
                    throw new \InvalidArgumentException("$argument: it is not there.");
                }
                putenv('WEFT_BENCH_' . strtoupper($match[1]) . "=$match[2]");
            } elseif (preg_match('/^--(profile|arm|workload|rounds|workers|connections|duration|delay|scale|limit|config|jit|seconds|requests)=(.+)$/', $argument, $match) === 1) {
                $given[$match[1]] = $match[2];
            } elseif (!str_starts_with($argument, '-')) {
                $suites[] = self::known('suite', $argument, Suites::NAMES);
            } else {
                throw new \InvalidArgumentException("Unknown argument: $argument\n\n" . self::usage());
            }
        }
        $profile = self::known('profile', $given['profile'] ?? 'full', array_keys(self::PROFILES));
        $set = self::PROFILES[$profile];
        $workers = $cores >= self::MANY_CORES && $profile === 'full' ? [...$set['workers'], ...self::MANY_WORKERS] : $set['workers'];

        return new self(
            array_values(array_unique($suites !== [] ? $suites : array_diff(Suites::USUAL, $set['without']))),
            $profile,
            array_diff(array_keys($given), ['profile']) !== [] || $suites !== [] || $weft !== [],
            array_map(static fn (string $name): string => self::known('arm', $name, [...Arms::NAMES, ...array_keys(FanoutArms::TITLES)]), self::words($given['arm'] ?? '')),
            self::words($given['workload'] ?? ''),
            (int) self::number($given, 'rounds', $set['rounds'], 1, 1000),
            isset($given['workers']) ? self::numbers($given['workers']) : $workers,
            (int) self::number($given, 'connections', $set['connections'], 1, 10_000),
            self::number($given, 'duration', $set['duration'], 0.5, 600),
            self::number($given, 'delay', 1.1, 0, 1000),
            isset($given['scale']) ? self::number($given, 'scale', 1, 0.001, 1000) : null,
            self::known('config', $given['config'] ?? 'cached', ['cached', 'plain']) === 'cached',
            self::known('jit', $given['jit'] ?? 'off', ['off', 'tracing']),
            self::number($given, 'seconds', $set['soak'], 5, 604_800),
            (int) self::number($given, 'requests', $set['requests'], 1000, 1_000_000_000),
            $weft,
            60 * self::number($given, 'limit', $set['limit'], 0.1, 10_000),
        );
    }

    /** @param array<string, string> $given */
    private static function number(array $given, string $name, float $default, float $least, float $most): float
    {
        $text = $given[$name] ?? (string) $default;
        if (!is_numeric($text) || (float) $text < $least || (float) $text > $most) {
            throw new \InvalidArgumentException("--$name=$text: a number from $least to $most is expected.");
        }

        return (float) $text;
    }

    public function quick(): bool
    {
        return $this->profile === 'quick';
    }

    public function wantsArm(string $name): bool
    {
        return $this->arms === [] || in_array($name, $this->arms, true);
    }

    public function wants(string $workload): bool
    {
        return $this->workloads === [] || in_array($workload, $this->workloads, true);
    }

    /** @return array<string, scalar> */
    public function toArray(): array
    {
        return [
            'suites' => implode(' ', $this->suites), 'arms' => implode(' ', $this->arms) ?: 'all', 'workloads' => implode(' ', $this->workloads) ?: 'all',
            'rounds' => $this->rounds, 'workers' => implode(',', $this->workers), 'connections' => $this->connections,
            'duration_s' => $this->duration, 'delay_ms_each_way' => $this->delay,
            'laravel_config' => $this->configCached ? 'cached' : 'plain', 'jit' => $this->jit,
            'weft_options' => implode(' ', $this->weftOptions),
        ];
    }

    /** @param list<string> $known */
    public static function known(string $what, string $name, array $known): string
    {
        return in_array($name, $known, true)
            ? $name
            : throw new \InvalidArgumentException("There is no $what \"$name\". There is: " . implode(', ', $known));
    }

    /** @return list<string> */
    private static function words(string $list): array
    {
        return array_values(array_filter(explode(',', $list), static fn (string $word): bool => $word !== ''));
    }

    /** @return non-empty-list<int> */
    private static function numbers(string $list): array
    {
        $numbers = [];
        foreach (explode(',', $list) as $text) {
            if (!ctype_digit($text) || (int) $text < 1 || (int) $text > 1024) {
                throw new \InvalidArgumentException("--workers=$list: numbers from 1 to 1024 are expected, as 1,2,4");
            }
            $numbers[] = (int) $text;
        }

        return array_values(array_unique($numbers));
    }
}
