<?php

declare(strict_types=1);

namespace Weft\Command\Control;

/**
 * What the workers of a server run: the answer to "running" and "dump".
 *
 * @internal
 */
final class Running
{
    /**
     * @param list<array{pid: int, answers: bool, leftOut: int, coroutines: list<array<string, string|int>>}> $workers
     */
    private function __construct(public readonly array $workers)
    {
    }

    /**
     * @param array<mixed> $answer
     */
    public static function of(array $answer): self
    {
        $workers = [];
        foreach (is_array($answer['workers'] ?? null) ? $answer['workers'] : [] as $worker) {
            $running = is_array($worker) && is_array($worker['running'] ?? null) ? $worker['running'] : [];
            $last = end($running);
            $workers[] = [
                'pid' => is_array($worker) && is_int($worker['pid'] ?? null) ? $worker['pid'] : 0,
                'answers' => is_array($worker) && ($worker['answers'] ?? false) === true,
                'leftOut' => is_int($last) ? $last : 0,
                'coroutines' => array_values(array_map(self::scalars(...), array_filter($running, is_array(...)))),
            ];
        }

        return new self($workers);
    }

    /**
     * What it waits for, in words.
     *
     * @param array<string, string|int> $coroutine
     */
    public static function state(array $coroutine): string
    {
        $for = (string) ($coroutine['waits_for'] ?? '');
        $of = isset($coroutine['peer']) ? " of {$coroutine['peer']}" : (isset($coroutine['fd']) ? " of descriptor {$coroutine['fd']}" : '');

        return match ($coroutine['state'] ?? '') {
            'waits' => "waits for $for$of",
            '' => 'not known',
            default => (string) $coroutine['state'],
        };
    }

    /**
     * @param array<mixed> $values
     * @return array<string, string|int>
     */
    private static function scalars(array $values): array
    {
        $scalars = [];
        foreach ($values as $name => $value) {
            if (is_string($value) || is_int($value)) {
                $scalars[(string) $name] = $value;
            }
        }

        return $scalars;
    }
}
