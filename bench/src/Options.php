<?php

declare(strict_types=1);

namespace Weft\Bench;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Exception\InvalidOptionException;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** How a run measures. */
final class Options
{
    /** @var array<string, array{int|float|null, int|float|null, int|float, int|float, string}> default of a full and of a quick run, least, most, what it is */
    private const NUMBERS = [
        'rounds' => [3, 1, 1, 1000, 'interleaved rounds'],
        'duration' => [2, 1, 0.5, 600, 'seconds of load per measurement'],
        'connections' => [32, 16, 1, 10_000, 'connections of a closed loop'],
        'delay' => [1.1, 1.1, 0, 1000, 'milliseconds that the proxy adds to the database, each way'],
        'limit' => [42, 4.5, 0.1, 10_000, 'minutes: a further round is left out when it would take longer'],
        'scale' => [null, null, 0.001, 1000, 'part of the target rates to ask for; measured when not given'],
        'seconds' => [600, 20, 5, 604_800, 'length of soak'],
        'requests' => [1_000_000, 5000, 1000, 1_000_000_000, 'requests of growth with isolation on'],
    ];

    private const LISTS = [
        'workers' => 'worker counts (1,2,4,8, with 8 cores also 12,16; quick 1; balance 2,4)',
        'clients' => 'clients at once, as 2,8,64,256: classic (64), balance (2,4,16); fair then opens both ways so many for every page by each protocol',
        'children' => 'children of PHP-FPM: classic (2,32)',
    ];

    private const WORKERS = [1, 2, 4, 8];
    /** More workers than those make sense on larger machines only. */
    private const MANY_WORKERS = [12, 16];
    private const MANY_CORES = 8;

    /**
     * @param array<string, float|null> $numbers
     * @param array<string, list<int>>  $lists       those that are given
     * @param list<string>              $arms        empty: all
     * @param list<string>              $workloads   empty: all
     * @param list<int>                 $workers
     * @param list<string>              $weft        passed on to bin/weft serve
     */
    private function __construct(
        public readonly bool $quick,
        public readonly bool $changed,
        private readonly array $numbers,
        private readonly array $lists,
        public readonly array $arms,
        public readonly array $workloads,
        public readonly array $workers,
        public readonly string $jit,
        public readonly array $weft,
    ) {
    }

    public static function define(Command $command): void
    {
        $command->addOption('quick', null, InputOption::VALUE_NONE, 'short measurements: to see that everything works');
        $command->addOption('arm', null, InputOption::VALUE_REQUIRED, 'some arms, as weft,fpm: ' . implode(', ', array_keys(Arms::SERVERS + Arms::FANOUT)));
        $command->addOption('workload', null, InputOption::VALUE_REQUIRED, 'some workloads, as /bench');
        foreach (self::LISTS as $name => $what) {
            $command->addOption($name, null, InputOption::VALUE_REQUIRED, $what);
        }
        foreach (self::NUMBERS as $name => [$full, $quick, , , $what]) {
            $defaults = $full === null ? '' : ($full === $quick ? " ($full)" : " ($full; quick $quick)");
            $command->addOption($name, null, InputOption::VALUE_REQUIRED, $what . $defaults);
        }
        $command->addOption('jit', null, InputOption::VALUE_REQUIRED, "OPcache's JIT, for all arms: off or tracing", 'off');
        $command->addOption('weft-option', null, InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY, 'passed on to bin/weft serve');
    }

    public static function from(InputInterface $input, int $cores): self
    {
        $given = array_filter($input->getOptions(), is_string(...));
        $quick = $input->getOption('quick') === true;
        $numbers = [];
        foreach (self::NUMBERS as $name => [$full, $short, $least, $most]) {
            $numbers[$name] = isset($given[$name]) ? self::number($name, $given[$name], $least, $most) : ($quick ? $short : $full);
        }
        $lists = [];
        foreach (array_intersect_key($given, self::LISTS) as $name => $list) {
            $lists[$name] = self::counts($name, $list);
        }
        $weft = $input->getOption('weft-option');
        $weft = is_array($weft) ? array_values(array_filter($weft, is_string(...))) : [];
        $full = $cores >= self::MANY_CORES ? [...self::WORKERS, ...self::MANY_WORKERS] : self::WORKERS;
        $known = array_keys(Arms::SERVERS + Arms::FANOUT);

        return new self(
            $quick,
            $weft !== [] || array_intersect(array_keys($given), ['arm', 'workload', ...array_keys(self::LISTS + self::NUMBERS)]) !== [] || ($given['jit'] ?? 'off') !== 'off',
            $numbers,
            $lists,
            array_map(static fn (string $name): string => self::known('arm', $name, $known), self::words($given['arm'] ?? '')),
            self::words($given['workload'] ?? ''),
            $lists['workers'] ?? ($quick ? [1] : $full),
            self::known('jit', $given['jit'] ?? 'off', ['off', 'tracing']),
            $weft,
        );
    }

    public function get(string $name): float
    {
        return $this->numbers[$name] ?? 0.0;
    }

    public function has(string $name): bool
    {
        return isset($this->numbers[$name]);
    }

    public function wantsArm(string $name): bool
    {
        return $this->arms === [] || in_array($name, $this->arms, true);
    }

    public function wants(string $workload): bool
    {
        return $this->workloads === [] || in_array($workload, $this->workloads, true);
    }

    /**
     * @param list<int> $otherwise
     *
     * @return list<int>
     */
    public function list(string $name, array $otherwise): array
    {
        return $this->lists[$name] ?? $otherwise;
    }

    /** @return array<string, string> */
    public function settings(): array
    {
        $lists = array_map(static fn (array $list): string => implode(',', $list), $this->lists);

        return array_map(static fn (?float $number): string => (string) $number, array_filter($this->numbers, is_numeric(...))) + $lists + [
            'arms' => implode(' ', $this->arms) ?: 'all', 'workloads' => implode(' ', $this->workloads) ?: 'all', 'workers' => implode(',', $this->workers),
            'jit' => $this->jit, 'weft options' => implode(' ', $this->weft),
        ];
    }

    /** @param list<string> $known */
    public static function known(string $what, string $name, array $known): string
    {
        return in_array($name, $known, true) ? $name : throw new InvalidOptionException("There is no $what \"$name\". There is: " . implode(', ', $known));
    }

    private static function number(string $name, string $text, float $least, float $most): float
    {
        return is_numeric($text) && (float) $text >= $least && (float) $text <= $most
            ? (float) $text
            : throw new InvalidOptionException("--$name=$text: a number from $least to $most is expected.");
    }

    /** @return list<string> */
    private static function words(string $list): array
    {
        return array_values(array_filter(explode(',', $list), static fn (string $word): bool => $word !== ''));
    }

    /** @return list<int> */
    private static function counts(string $name, string $list): array
    {
        return array_values(array_unique(array_map(static fn (string $text): int => ctype_digit($text) && (int) $text >= 1 && (int) $text <= 1024
            ? (int) $text
            : throw new InvalidOptionException("--$name=$list: numbers from 1 to 1024 are expected, as 1,2,4"), explode(',', $list))));
    }
}
