<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Lazy;

// Names constants that only requests define.

function by_default(string $who = \VISITOR_BY_DEFAULT): string
{
    return $who;
}

/**
 * @param list<string> $list
 */
function in_a_list(array $list = ['first', \VISITOR_BY_DEFAULT]): string
{
    return implode(' ', $list);
}

function is_even(): bool
{
    return defined('VISITOR_IS_EVEN') ? \VISITOR_IS_EVEN : false;
}

/**
 * @return list<mixed>
 */
function reads_after(bool $defined): array
{
    return [$defined, \VISITOR_WHO_WAITED];
}
