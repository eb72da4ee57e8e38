<?php

declare(strict_types=1);

namespace Weft\Bench;

use Weft\Bench\Arms\Fpm;
use Weft\Bench\Arms\Octane;
use Weft\Bench\Arms\Swoole;
use Weft\Bench\Arms\Weft;
use Weft\Bench\Suites\FanoutArms;

/** All arms there are. */
final class Arms
{
    public const NAMES = ['weft', 'weft-blocking', 'fpm', 'fpm-no-opcache', 'octane-swoole', 'octane-frankenphp', 'swoole'];

    /** Programs, not servers that are started: of the micro and the fan-out suite. */
    public const REFERENCES = ['plain' => 'what it replaces', 'yardstick' => 'one pass with memchr()'] + FanoutArms::TITLES;

    public static function get(string $name): Arm
    {
        return match ($name) {
            'weft' => new Weft(false),
            'weft-blocking' => new Weft(true),
            'fpm' => new Fpm(true),
            'fpm-no-opcache' => new Fpm(false),
            'octane-swoole' => new Octane('swoole'),
            'octane-frankenphp' => new Octane('frankenphp'),
            'swoole' => new Swoole(),
            default => throw new \InvalidArgumentException("There is no arm \"$name\""),
        };
    }

    /** @return list<Arm> */
    public static function all(): array
    {
        return array_map(self::get(...), self::NAMES);
    }
}
