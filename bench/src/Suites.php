<?php

declare(strict_types=1);

namespace Weft\Bench;

use Weft\Bench\Suites\DatabaseSuite;
use Weft\Bench\Suites\EffectsSuite;
use Weft\Bench\Suites\EqualSuite;
use Weft\Bench\Suites\FanoutSuite;
use Weft\Bench\Suites\GrowthSuite;
use Weft\Bench\Suites\IsolationSuite;
use Weft\Bench\Suites\LatencySuite;
use Weft\Bench\Suites\MemorySuite;
use Weft\Bench\Suites\MicroSuite;
use Weft\Bench\Suites\ScaleSuite;
use Weft\Bench\Suites\SoakSuite;
use Weft\Bench\Suites\TheorySuite;

/** All suites there are. */
final class Suites
{
    public const NAMES = ['database', 'latency', 'equal', 'effects', 'theory', 'fanout', 'scale', 'memory', 'micro', 'isolation', 'soak', 'growth'];

    /** Those of a run that names none. */
    public const USUAL = ['database', 'latency', 'equal', 'effects', 'theory', 'fanout', 'scale', 'memory', 'micro'];

    public static function make(string $name, Bench $bench): Suite
    {
        return match ($name) {
            'database' => new DatabaseSuite($bench),
            'latency' => new LatencySuite($bench),
            'equal' => new EqualSuite($bench),
            'effects' => new EffectsSuite($bench),
            'theory' => new TheorySuite($bench),
            'fanout' => new FanoutSuite($bench),
            'scale' => new ScaleSuite($bench),
            'memory' => new MemorySuite($bench),
            'micro' => new MicroSuite($bench),
            'soak' => new SoakSuite($bench),
            'growth' => new GrowthSuite($bench),
            'isolation' => new IsolationSuite($bench),
            default => throw new \InvalidArgumentException("There is no suite \"$name\""),
        };
    }
}
