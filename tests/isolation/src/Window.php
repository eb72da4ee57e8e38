<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

/**
 * The risky moment of a behaviour: between what it wrote and what it reads. Open, it lets the others run, in ways that
 * a seed decides. In plain PHP, where nobody else can run, it does nothing.
 */
final class Window
{
    private const LONGEST_WAIT_MS = 6;

    private int $state;

    public function __construct(int $seed)
    {
        // 0 would be the fixed point of the generator below
        $this->state = ($seed & 0x7fffffff) | 1;
    }

    public function open(): void
    {
        if (!self::hasOthers()) {
            return;
        }
        // everybody who is ready gets a turn before this returns
        \Async\suspend();
        match ($this->below(5)) {
            0 => null,
            1 => \Async\suspend(),
            2 => \Async\delay(1 + $this->below(self::LONGEST_WAIT_MS)),
            3 => usleep(200 * (1 + $this->below(10))),
            default => $this->waitOnSocket(),
        };
    }

    /** A real query that waits in the server, on a connection of its own. */
    public function query(): void
    {
        if (self::hasOthers()) {
            Database::connect()->query('select pg_sleep(0.00' . (1 + $this->below(6)) . ')');
        }
    }

    public function below(int $limit): int
    {
        // xorshift: mt_rand's state is among what is tested
        $this->state ^= ($this->state << 13) & 0x7fffffff;
        $this->state ^= $this->state >> 17;
        $this->state ^= ($this->state << 5) & 0x7fffffff;

        return $this->state % $limit;
    }

    public static function hasOthers(): bool
    {
        return function_exists('Async\suspend') && PHP_SAPI !== 'cli-server';
    }

    private function waitOnSocket(): void
    {
        $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        if ($pair === false) {
            return;
        }
        $read = [$pair[0]];
        $none = [];
        stream_select($read, $none, $none, 0, 500 * (1 + $this->below(8)));
    }
}
