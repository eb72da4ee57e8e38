<?php

declare(strict_types=1);

namespace Weft\Bench;

/** Connections that ask once and stay, held by as many processes of bench/tools/hold.c as the limit of descriptors takes. */
final class Crowd
{
    /** What a process has open besides its connections. */
    private const OTHER_DESCRIPTORS = 500;

    /** Workers don't get the same number of connections: each must have room for more than its share. */
    private const SHARE = 0.8;

    /** More processes than this are not started for one server. */
    private const MOST_WORKERS = 8;

    /** @param non-empty-list<Process> $processes */
    private function __construct(private readonly array $processes)
    {
    }

    /** How many workers a server needs to hold so many connections; null when no reasonable number does. */
    public static function workersFor(int $connections, int $descriptors): ?int
    {
        $each = (int) (self::SHARE * ($descriptors - self::OTHER_DESCRIPTORS));
        $workers = $each < 1 ? PHP_INT_MAX : (int) ceil($connections / $each);

        return $workers <= self::MOST_WORKERS ? $workers : null;
    }

    /** The most connections that can be held, by the greatest number of workers. */
    public static function most(int $descriptors): int
    {
        return max(1, self::MOST_WORKERS * (int) (self::SHARE * ($descriptors - self::OTHER_DESCRIPTORS)));
    }

    /** @param 'idle'|'sleeping' $mode */
    public static function start(Workspace $workspace, int $port, int $count, string $path, string $mode, int $descriptors): self
    {
        $processes = [];
        $each = max(1, $descriptors - self::OTHER_DESCRIPTORS);
        for ($first = 0; $first < $count; $first += $each) {
            $number = count($processes);
            $processes[] = Process::start(
                'hold',
                [$workspace->compiled('hold'), (string) $port, (string) min($each, $count - $first), $path, $mode, (string) $first],
                $workspace->log("hold-$number"),
            );
        }

        return new self($processes !== [] ? $processes : throw new \LogicException('nobody to hold'));
    }

    /**
     * Waits until all processes have said what is asked for.
     *
     * @param 'ready'|'done' $what
     *
     * @return array{failed: float, seconds: float} of all, and of the slowest
     */
    public function await(string $what, float $seconds): array
    {
        $end = microtime(true) + $seconds;
        $lines = array_map(static fn (Process $process): array => self::line($process, $what, $end), $this->processes);

        return [
            'failed' => array_sum(array_map(static fn (array $line): float => Value::number($line, 'failed'), $lines)),
            'seconds' => max(array_map(static fn (array $line): float => Value::number($line, 'seconds'), $lines)),
        ];
    }

    public function stop(): void
    {
        foreach ($this->processes as $process) {
            $process->stop();
        }
    }

    /** @return array<mixed> */
    private static function line(Process $process, string $what, float $end): array
    {
        do {
            if (preg_match('/^\{"' . $what . '".*\}$/m', (string) file_get_contents($process->log), $match) === 1) {
                return Value::decode($match[0]);
            }
            usleep(20_000);
        } while ($process->isRunning() && microtime(true) < $end);
        throw new Failure("hold: not $what: " . Value::excerpt($process->output()));
    }
}
