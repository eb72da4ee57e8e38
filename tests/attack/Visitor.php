<?php

declare(strict_types=1);

namespace Weft\Attack;

/**
 * An honest one.
 */
final class Visitor
{
    /** @var resource|null */
    public mixed $socket = null;
    public bool $asks = false;
    public bool $kept = false;
    public bool $retried = false;
    public string $request = '';
    public string $expected = '';
    public string $answer = '';
    public float $asked = 0;
    public float $next = 0;

    public function __construct(public readonly bool $keeps)
    {
    }
}
