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

    /** @param non-empty-list<Program> $programs */
    private function __construct(private readonly array $programs)
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
        $programs = [];
        $each = max(1, $descriptors - self::OTHER_DESCRIPTORS);
        for ($first = 0; $first < $count; $first += $each) {
            $number = count($programs);
            $programs[] = Program::start(
                'hold',
                [$workspace->compiled('hold'), (string) $port, (string) min($each, $count - $first), $path, $mode, (string) $first],
                $workspace->log("hold-$number"),
            );
        }

        return new self($programs !== [] ? $programs : throw new \LogicException('nobody to hold'));
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
        $lines = array_map(
            static fn (Program $program): Json => Json::decode($program->await('/^\{"' . $what . '".*\}$/m', $end - microtime(true))),
            $this->programs,
        );

        return [
            'failed' => array_sum(array_map(static fn (Json $line): float => $line->number('failed'), $lines)),
            'seconds' => max(array_map(static fn (Json $line): float => $line->number('seconds'), $lines)),
        ];
    }

    public function stop(): void
    {
        foreach ($this->programs as $program) {
            $program->stop();
        }
    }
}
