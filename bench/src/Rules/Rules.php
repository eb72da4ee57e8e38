<?php

declare(strict_types=1);

namespace Weft\Bench\Rules;

abstract class Rules
{
    /**
     * @param array<string, bool> $rules whether each is kept, by what to say when it is not
     *
     * @return list<string>
     */
    protected static function complaints(array $rules): array
    {
        return array_map(strval(...), array_keys(array_filter($rules, static fn (bool $kept): bool => !$kept)));
    }
}
