<?php

declare(strict_types=1);

namespace Weft\Bench;

final class Options
{
    public const SUITES = ['micro', 'serve', 'memory', 'soak', 'growth'];

    public const USAGE = <<<'TEXT'
        usage: bench/run [micro|serve|memory|soak|growth|all] [options]

          all (default)       micro, serve and memory; soak and growth run only when they are named
          --quick             short measurements: to see that everything works, not for figures
          --rounds=N          interleaved rounds (3)
          --workers=1,2       worker counts of serve
          --connections=N     clients of serve (32)
          --duration=S        seconds of load per measurement of serve (4; 1 with --quick)
          --delay=MS          what the proxy adds to the database, each way (1.1)
          --config=cached|plain   Laravel's configuration and route cache, for both arms (cached)
          --jit=off|tracing   OPcache's JIT, for both arms (off)
          --only=TEXT         only rows whose name contains TEXT
          --seconds=S         length of soak (600; 20 with --quick)
          --requests=N        requests of growth with isolation on (1000000; 5000 with --quick)
          --weft-option=TEXT  passed on to bin/weft serve; may be repeated

        TEXT;

    /**
     * @param list<string> $suites
     * @param list<int>    $workers
     * @param list<string> $weftOptions
     */
    private function __construct(
        public readonly array $suites,
        public readonly bool $quick,
        public readonly int $rounds,
        public readonly array $workers,
        public readonly int $connections,
        public readonly float $duration,
        public readonly float $delay,
        public readonly bool $configCached,
        public readonly string $jit,
        public readonly string $only,
        public readonly float $seconds,
        public readonly int $requests,
        public readonly array $weftOptions,
    ) {
    }

    /** @param list<string> $arguments */
    public static function parse(array $arguments): self
    {
        $suites = [];
        $given = [];
        $weft = [];
        foreach ($arguments as $argument) {
            if ($argument === 'all') {
                array_push($suites, 'micro', 'serve', 'memory');
            } elseif (in_array($argument, self::SUITES, true)) {
                $suites[] = $argument;
            } elseif (preg_match('/^--weft-option=(.+)$/', $argument, $match) === 1) {
                $weft[] = $match[1];
            } elseif (preg_match('/^--(quick|(?:rounds|workers|connections|duration|delay|config|jit|only|seconds|requests)=.+)$/', $argument, $match) === 1) {
                [$name, $value] = explode('=', $match[1], 2) + [1 => '1'];
                $given[$name] = $value;
            } else {
                throw new \InvalidArgumentException("Unknown argument: $argument");
            }
        }
        $quick = isset($given['quick']);

        return new self(
            $suites === [] ? ['micro', 'serve', 'memory'] : array_values(array_unique($suites)),
            $quick,
            max(1, (int) ($given['rounds'] ?? 3)),
            array_values(array_filter(array_map('intval', explode(',', $given['workers'] ?? '1,2')), static fn (int $n): bool => $n > 0)),
            max(1, (int) ($given['connections'] ?? 32)),
            max(0.5, (float) ($given['duration'] ?? ($quick ? 1 : 4))),
            max(0.0, (float) ($given['delay'] ?? 1.1)),
            ($given['config'] ?? 'cached') !== 'plain',
            ($given['jit'] ?? 'off') === 'tracing' ? 'tracing' : 'off',
            $given['only'] ?? '',
            max(5.0, (float) ($given['seconds'] ?? ($quick ? 20 : 600))),
            max(1000, (int) ($given['requests'] ?? ($quick ? 5000 : 1_000_000))),
            $weft,
        );
    }

    public function wants(string $row): bool
    {
        return $this->only === '' || str_contains($row, $this->only);
    }

    /** @return array<string, scalar> */
    public function toArray(): array
    {
        return [
            'suites' => implode(' ', $this->suites), 'quick' => $this->quick, 'rounds' => $this->rounds,
            'workers' => implode(',', $this->workers), 'connections' => $this->connections,
            'duration_s' => $this->duration, 'delay_ms_each_way' => $this->delay,
            'laravel_config' => $this->configCached ? 'cached' : 'plain', 'jit' => $this->jit,
            'weft_options' => implode(' ', $this->weftOptions),
        ];
    }
}
